import {
  catalogue,
  contractVersion,
  envelopeSchema,
  type ErrorCode,
  environmentVariables,
  exitCodeOf,
  exitCodes,
  type Flag,
  httpPath,
  type JsonSchema,
  type Row,
  toolName,
  warningCatalogue,
  type Workflow,
} from "../../packages/writ/src/contract/index.ts";
import { commandLine } from "../../packages/writ/src/contract/index.ts";
import { ofEveryAnswer } from "./describe.ts";

/** The document behind `--agent-manifest`: everything an agent needs, from the registry alone. */
export function buildManual(rows: Row[], workflows: Workflow[], version: string): Record<string, unknown> {
  return {
    name: "writ",
    version,
    contract_version: contractVersion,
    summary: "The workspace that AI agents work in: one file declares it, one contract drives it.",
    usage: "writ COMMAND [ARGUMENTS] [FLAGS] --json",
    narrower: "writ GROUP --agent-manifest, writ COMMAND --agent-manifest",
    envelope_schema: envelopeSchema,
    exit_codes: exitCodes,
    data_of_every_command: Object.fromEntries(
      Object.entries(ofEveryAnswer).map(([field, { description }]) => [field, description]),
    ),
    commands: rows.map(commandEntry),
    workflows,
    errors: Object.entries(catalogue).map(([code, entry]) => ({
      code,
      category: entry.category,
      exit_code: exitCodeOf(entry.category),
      when: entry.when,
      retryable: "retryable" in entry,
    })),
    warnings: Object.entries(warningCatalogue).map(([code, when]) => ({ code, when })),
    environment: environmentVariables,
  };
}

/** What any call may be answered with, besides what its command declares. */
const ofEveryCall = [
  "USAGE_ERROR",
  "E_MISSING_INPUT",
  "E_INVALID_VALUE",
  "E_LIMIT",
  "E_AUTH_REQUIRED",
  "E_CANCELLED",
  "E_DEADLINE",
  "STORE_ERROR",
  "E_STORE_LOCKED",
  "INTERNAL_ERROR",
] as const satisfies readonly ErrorCode[];

function commandEntry(row: Row): Record<string, unknown> {
  const needsWorkspace: ErrorCode[] = row.need.workspace === "required" ? ["E_NO_WORKSPACE"] : [];
  const errors = [...new Set([...row.errors, ...needsWorkspace, ...ofEveryCall])];
  const codes = new Set([0, ...errors.map((code) => exitCodeOf(catalogue[code].category))]);
  return {
    command: row.path.join(" "),
    capability: row.id,
    summary: row.summary,
    ...(row.description && { description: row.description }),
    effect: row.need.effect,
    network: row.need.network,
    workspace: row.need.workspace,
    reversible: row.undo !== undefined,
    ...(row.undo && { undone_by: row.undo }),
    ...(row.may && { least_role: row.may }),
    ...(row.loopback && { loopback_only: true }),
    arguments: row.flags.filter((flag) => flag.positional !== undefined).map(flagEntry),
    flags: row.flags.filter((flag) => flag.positional === undefined).map(flagEntry),
    exit_codes: [...codes].toSorted((a, b) => a - b),
    error_codes: errors,
    input_schema: row.input,
    output_schema: brief(row.output),
    examples: row.examples.map((one) => ({ ...one, command: commandLine(row, one.input) })),
    related: row.related,
    ...(row.on.includes("http") && { http: `POST ${httpPath(row)}` }),
    ...(row.on.includes("mcp") && { mcp_tool: toolName(row) }),
  };
}

/** A flag without what it is not, and without the input field that its name says. */
function flagEntry({ field, name, many, required, ...flag }: Flag): Record<string, unknown> {
  return {
    name,
    ...(field !== name.replaceAll("-", "_") && { field }),
    ...flag,
    ...(many && { many }),
    ...(required && { required }),
  };
}

/** A schema without the descriptions that the manual gives once for all commands. */
function brief({ properties, ...schema }: JsonSchema): JsonSchema {
  const known: Record<string, JsonSchema> = ofEveryAnswer;
  const shorter = Object.entries(properties as Record<string, JsonSchema>).map(([field, property]) => {
    const { description, ...rest } = property;
    return [field, description === known[field]?.description ? rest : property];
  });
  return { ...schema, properties: Object.fromEntries(shorter) };
}
