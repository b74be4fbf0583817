import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import { ownOutput } from "../../store/index.ts";

export default capability({
  id: "ledger.export",
  summary: "Write the ledger as JSON lines, with signed checkpoints and the public keys to check them.",
  input: z.object({
    out: z.string().default("ledger.jsonl").meta({ local_path: true }).describe("The file to write."),
    from: z.int().min(1).optional().describe("First event."),
    to: z.int().min(1).optional().describe("Last event."),
    replace: z.boolean().default(false).describe("Replace a file that is there."),
  }),
  output: () =>
    z.object({
      export_file: z.string().describe("The file that was written, as it was named."),
      events: z.int().describe("How many events it holds."),
      checkpoint: z
        .object({ seq: z.int(), hash: z.string(), at: z.string(), key_id: z.string() })
        .optional()
        .describe("The signed statement of where the chain stands."),
    }),
  need: { effect: "local", network: "never", workspace: "required" },
  errors: ["E_EXISTS", "E_NOT_FOUND", "E_UNSAFE_PATH"],
  examples: [
    { title: "Export everything", input: {} },
    { title: "Export a part to a named file", input: { out: "november.jsonl", from: 1, to: 500 } },
  ],
  related: ["ledger verify", "store backup"],
  async run(ctx, { out, from, to, replace }) {
    const path = await ownOutput(ctx, out);
    if (ctx.dryRun) return { export_file: out, events: 0, changed: true };
    const [{ exportLedger }, { installationWitness }] = await Promise.all([
      import("../export.ts"),
      import("../installation.ts"),
    ]);
    const made = await exportLedger(await ctx.store("write"), {
      out: path,
      replace,
      witness: installationWitness(ctx),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    });
    const { checkpoint } = made;
    return {
      export_file: out,
      events: made.events,
      changed: true,
      ...(checkpoint && {
        checkpoint: {
          seq: checkpoint.seq,
          hash: checkpoint.hash,
          at: checkpoint.at,
          key_id: checkpoint.key_id,
        },
      }),
      next: [`writ ledger verify --file ${quote(out)}`],
    };
  },
  render({ export_file, events, checkpoint, next }) {
    if (!next) return `${export_file} would be written.`;
    return [
      `Wrote ${events} ${events === 1 ? "event" : "events"} to ${export_file}.`,
      checkpoint
        ? `Signed at event ${checkpoint.seq}, ${checkpoint.at}, with the key ${checkpoint.key_id}.`
        : "No checkpoint signs it yet.",
      ...next.map((line) => `Next  ${line}`),
    ].join("\n");
  },
});
