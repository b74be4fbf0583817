import type { Capability, Effect, Example, LeastRole, Need, Surface } from "./capability.ts";
import type { ErrorCode } from "./catalogue.ts";

/** A JSON Schema document, draft 2020-12. */
export type JsonSchema = { [key: string]: unknown };

/** One input field as a command line sees it. */
export interface Flag {
  /** Field of the input: `accept_flagged`. */
  field: string;
  /** `--accept-flagged`, without the dashes. */
  name: string;
  alias?: string;
  kind: "string" | "number" | "integer" | "boolean" | "json";
  /** Given several times, it is a list. */
  many: boolean;
  /** How many words follow the flag, where it is a list of a fixed length: `--edge A B`. */
  words?: number;
  required: boolean;
  /** Position among the arguments; absent for a flag. */
  positional?: number;
  description: string;
  default?: unknown;
  choices?: string[];
  env?: string;
  /** Pattern and bounds in words, for help. */
  constraint?: string;
}

/** What every command that changes something takes, and none declares. */
export const dryRunFlag: Flag = {
  field: "dry_run",
  name: "dry-run",
  kind: "boolean",
  many: false,
  required: false,
  default: false,
  description: "Say what would change, and change nothing.",
};

/** A capability as plain data: all that parsing and help need. */
export interface Command {
  id: string;
  /** The words of the command: ["token", "create"]. */
  path: string[];
  /** Words that are no commands any more, and what to type instead. */
  formerly?: Readonly<Record<string, string>>;
  summary: string;
  description?: string;
  need: Need;
  mutates: boolean;
  undo?: string;
  may?: LeastRole;
  /** Over HTTP only callers on this machine itself may. */
  loopback?: true;
  on: Surface[];
  heavy: boolean;
  streams: boolean;
  errors: ErrorCode[];
  examples: Example[];
  related: string[];
  flags: Flag[];
  /** What an input without any field is read as, where one may be given and is simple; found by reading one. */
  empty?: Readonly<Record<string, unknown>>;
  /** Top-level output fields that are shown once and never stored. */
  secrets: string[];
}

/** A command with its schemas: what the manual, OpenAPI and the MCP tool list need besides. */
export interface Row extends Command {
  /** JSON Schema of the input, with `dry_run` where it mutates. */
  input: JsonSchema;
  /** JSON Schema of `data`, with `workspace`, `changed` and `dry_run` where they apply. */
  output: JsonSchema;
}

/** What the executor and the command line need: plain rows at once, code only when it is called. */
export interface Commands {
  rows: readonly Command[];
  find(id: string): Command | undefined;
  load(id: string): Promise<Capability>;
}

/** The whole registry, with every schema. */
export interface Registry extends Commands {
  rows: readonly Row[];
  find(id: string): Row | undefined;
}

/** The MCP tool name, or the last part of the HTTP path with "/" for "_". */
export function toolName(row: Pick<Row, "path">): string {
  return row.path.join("_").replaceAll("-", "_");
}

/** The HTTP path of a capability. */
export function httpPath(row: Pick<Row, "path">): string {
  return `/v1/${row.path.join("/")}`;
}

/** MCP's hints, which follow from the effect. */
export function hintsOf(row: Pick<Row, "need" | "undo">): {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
} {
  const effect: Effect = row.need.effect;
  return {
    readOnlyHint: effect === "observe",
    destructiveHint: effect !== "observe" && row.undo === undefined,
    // Every mutating capability is idempotent by contract, or told apart by its idempotency key.
    idempotentHint: true,
    openWorldHint: row.need.network === "may" || effect === "external",
  };
}
