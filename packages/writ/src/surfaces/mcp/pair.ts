import type { Tool } from "@modelcontextprotocol/server";
import {
  type Envelope,
  envelope,
  envelopeSchema,
  fail,
  hintsOf,
  nearest,
  type Row,
  toolName,
} from "../../contract/index.ts";
import type { ToolSet } from "./options.ts";

/** The two tools through which everything that is not listed is reached. */
export const describeTool = "capability_describe";
export const callTool = "capability_call";

const { title: _, ...answer } = envelopeSchema;
const outputSchema = answer as unknown as NonNullable<Tool["outputSchema"]>;

export const pairTools: readonly Tool[] = [
  {
    name: describeTool,
    title: "capability describe",
    description:
      "List every capability of Writ with its summary and effect; with a name, give its full description, input and output schemas, errors and examples.",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      properties: {
        capability: { type: "string", description: 'Id or tool name: "store.backup" or "store_backup".' },
      },
    },
    outputSchema,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    name: callTool,
    title: "capability call",
    description: "Call any capability of Writ by name, under the same rules as if it were a tool of its own.",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      required: ["capability"],
      properties: {
        capability: { type: "string", description: 'Id or tool name: "store.backup" or "store_backup".' },
        input: { type: "object", description: `Its input, as ${describeTool} gives the schema.` },
        idempotency_key: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "As for the capability itself.",
        },
      },
    },
    outputSchema,
    // It may call anything, so it is declared as the most that anything does.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  },
];

/** Answers capability_describe from the rows alone. */
export function describe(set: ToolSet, given: Record<string, unknown>): Envelope {
  const { capability, ...rest } = given;
  refuseUnknown(describeTool, rest, ["capability"]);
  if (capability === undefined) {
    const capabilities = [...set.offered.values()].map((row) => ({
      capability: row.id,
      tool: toolName(row),
      listed: set.listed.has(toolName(row)),
      effect: row.need.effect,
      summary: row.summary,
    }));
    return envelope("capability describe", { data: { capabilities } });
  }
  const row = named(set, capability);
  const { id, summary, description, need, undo, may, errors, examples, input, output } = row;
  const optional = { ...(description && { description }), ...(undo && { undo }), ...(may && { may }) };
  const about = { capability: id, tool: toolName(row), summary, ...optional, need, hints: hintsOf(row) };
  return envelope("capability describe", { data: { ...about, errors, examples, input, output } });
}

/** Reads the arguments of capability_call: which row, with which input. */
export function readCall(
  set: ToolSet,
  given: Record<string, unknown>,
): { row: Row; input: Record<string, unknown> } {
  const { capability, input = {}, idempotency_key: key, ...rest } = given;
  refuseUnknown(callTool, rest, ["capability", "input", "idempotency_key"]);
  if (input === null || typeof input !== "object" || Array.isArray(input)) {
    throw fail("USAGE_ERROR", {
      message: "input is not an object.",
      cause: `It was given as ${Array.isArray(input) ? "a list" : typeof input}.`,
      remediation: `See the schema with ${describeTool}.`,
    });
  }
  const row = named(set, capability);
  return { row, input: { ...input, ...(key !== undefined && { idempotency_key: key }) } };
}

function named(set: ToolSet, name: unknown): Row {
  const rows = [...set.offered.values()];
  const row = rows.find((one) => one.id === name || toolName(one) === name);
  if (row) return row;
  const typed = typeof name === "string" ? name : "";
  const near = nearest(
    typed.replaceAll("_", "."),
    rows.map((one) => one.id),
  );
  throw fail(typed === "" ? "E_MISSING_INPUT" : "USAGE_ERROR", {
    message: typed === "" ? "capability is needed." : `There is no capability "${typed.slice(0, 80)}" here.`,
    cause: near ? `The nearest is ${near}.` : "None is near it.",
    remediation: `List them: call ${describeTool} without arguments.`,
    details:
      typed === ""
        ? { missing: [{ name: "capability", description: "Id or tool name of a capability." }] }
        : { unknown: typed.slice(0, 80), ...(near && { nearest: near }) },
  });
}

function refuseUnknown(tool: string, rest: Record<string, unknown>, known: string[]): void {
  const [unknown] = Object.keys(rest);
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  throw fail("USAGE_ERROR", {
    message: `${tool} has no argument named "${unknown.slice(0, 80)}".`,
    cause: `Its arguments are ${known.join(", ")}.`,
    remediation: near ? `Did you mean "${near}"?` : "Leave it out.",
    details: { unknown: unknown.slice(0, 80), ...(near && { nearest: near }) },
  });
}
