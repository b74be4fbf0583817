import * as z from "zod";
import {
  capability,
  contractVersion,
  envelopeSchema,
  exitCodes,
  fail,
  nearest,
} from "../../contract/index.ts";

const document = z.record(z.string(), z.unknown());

export default capability({
  id: "schema",
  summary: "Print the contract, or the JSON Schema of one kind of document.",
  description:
    "Without a name: the contract's version, the envelope's schema, the exit codes, and a summary of every command. With one: the schema (draft 2020-12) against which Writ itself reads that document. It needs no workspace, reads no state and uses no network.",
  input: z.object({
    name: z
      .string()
      .max(100)
      .optional()
      .meta({ positional: 0 })
      .describe("A kind of document, e.g. workspace, stack or lock."),
  }),
  output: () =>
    z.object({
      contract_version: z.string().optional().describe("Version of the contract."),
      envelope_schema: document.optional().describe("JSON Schema of every answer."),
      exit_codes: z
        .array(z.object({ code: z.int(), name: z.string(), meaning: z.string() }))
        .optional()
        .describe("The complete table of exit codes."),
      commands: z
        .array(
          z.object({ command: z.string(), capability: z.string(), summary: z.string(), effect: z.string() }),
        )
        .optional()
        .describe("Every command, in alphabetical order."),
      documents: z.array(z.string()).optional().describe("The kinds of document that have a schema."),
      name: z.string().optional().describe("The kind of document asked for."),
      schema: document.optional().describe("Its JSON Schema."),
    }),
  need: { effect: "observe", network: "never", workspace: "none" },
  holds: "always",
  errors: ["E_UNKNOWN_SCHEMA"],
  examples: [
    { title: "The contract and a summary of the commands", input: {} },
    { title: "The schema of workspace.yml", input: { name: "workspace" } },
  ],
  related: ["guide", "doctor"],
  async run(ctx, { name }) {
    const documents = await ctx.registered.schemas();
    const known = Object.keys(documents).toSorted();
    if (name !== undefined) {
      const schema = documents[name];
      if (schema && known.includes(name)) return { name, schema };
      throw unknownSchema(name, known);
    }
    const manual = (await ctx.registered.manual()) as {
      commands: Record<"command" | "capability" | "summary" | "effect", string>[];
    };
    return {
      contract_version: contractVersion,
      envelope_schema: envelopeSchema,
      exit_codes: exitCodes.map(({ code, name: word, meaning }) => ({ code, name: word, meaning })),
      commands: manual.commands.map(({ command, capability: id, summary, effect }) => ({
        command,
        capability: id,
        summary,
        effect,
      })),
      documents: known,
    };
  },
  render(data, style) {
    if (data.schema) return JSON.stringify(data.schema, null, 2);
    return [
      `Contract ${data.contract_version}`,
      ...(data.exit_codes ?? []).map((one) => `  ${one.code}  ${one.name.padEnd(11)} ${one.meaning}`),
      "",
      ...(data.commands ?? []).map((one) => `  ${style.bold(one.command.padEnd(18))} ${one.summary}`),
      "",
      `Schemas: ${(data.documents ?? []).join(", ")}   (writ schema NAME)`,
    ].join("\n");
  },
});

function unknownSchema(name: string, known: string[]) {
  const near = nearest(name, known);
  return fail("E_UNKNOWN_SCHEMA", {
    message: `There is no schema "${name.slice(0, 80)}".`,
    cause: `Writ publishes ${known.join(", ")}.`,
    remediation: `Name one of them: writ schema ${near ?? known[0] ?? ""}`,
    details: { available: known, ...(near && { nearest: near }) },
  });
}
