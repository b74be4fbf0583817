import { type Capability, inputOf } from "./capability.ts";
import { flagWord } from "./command-line.ts";
import { fail, type WritError } from "./errors.ts";
import type { Command, Flag } from "./registry.ts";
import { nearest } from "./suggest.ts";

/** One complaint of a schema, as zod reports it; contract knows zod as a type only. */
interface Issue {
  code?: string;
  path: PropertyKey[];
  message: string;
  input?: unknown;
  values?: unknown[];
  keys?: string[];
  expected?: string;
}

/** Checks a call's input against its capability's schema and fills in the defaults. */
export function parseInput(
  command: Command,
  capability: Pick<Capability, "input">,
  input: Record<string, unknown>,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  requireShallow(input);
  const { flags } = command;
  const unknown = Object.keys(input).find((key) => !flags.some((flag) => flag.field === key));
  if (unknown !== undefined)
    throw unknownField(
      command,
      unknown,
      flags.map((flag) => flag.field),
    );
  const missing = flags.filter((flag) => flag.required && input[flag.field] === undefined);
  if (missing.length > 0) throw missingInput(command, missing);
  if (command.empty && Object.keys(input).length === 0) return copyOf(command.empty);
  const schema = inputOf(capability);
  if (schema instanceof Promise) return schema.then((loaded) => read(command, loaded, input));
  return read(command, schema, input);
}

/** What one call is given is its own, the empty lists in it too. */
function copyOf(empty: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = { ...empty };
  for (const field in copy) if (Array.isArray(copy[field])) copy[field] = [];
  return copy;
}

type InputSchema = Awaited<ReturnType<typeof inputOf>>;

function read(
  command: Command,
  schema: InputSchema,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw fromIssue(command, parsed.error.issues[0] as Issue);
}

// As deep as any document that Writ reads; deeper input is no input but an attempt on the stack.
const maxDepth = 32;

function requireShallow(value: unknown, depth = 0): void {
  if (depth > maxDepth) {
    throw fail("E_LIMIT", {
      message: "The input is nested too deeply.",
      cause: `At most ${maxDepth} levels are read.`,
      remediation: "Flatten it.",
      details: { limit: maxDepth, found: depth },
    });
  }
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) requireShallow(inner, depth + 1);
}

/** The error for inputs that are needed and absent; capabilities raise it too, with more to say. */
function missingInput(command: Command, missing: Flag[], details?: Record<string, unknown>): WritError {
  const names = missing.map((flag) => nameOf(flag));
  return fail("E_MISSING_INPUT", {
    message: `${command.path.join(" ")} needs ${names.join(", ")}.`,
    cause: `Nothing was given for ${names.join(", ")}.`,
    remediation: `Give it: writ ${command.path.join(" ")} ${missing.map(placeholder).join(" ")}`,
    details: {
      missing: missing.map((flag) => ({
        name: flag.field,
        description: flag.description,
        ...(flag.choices && { options: flag.choices }),
        ...(flag.constraint && { constraint: flag.constraint }),
      })),
      ...details,
    },
  });
}

function unknownField(command: Command, field: string, known: string[]): WritError {
  const near = nearest(field, known);
  return fail("USAGE_ERROR", {
    message: `${command.path.join(" ")} has no input named "${field.slice(0, 80)}".`,
    cause: known.length > 0 ? `Its inputs are ${known.join(", ")}.` : "It takes no input.",
    remediation: near ? `Did you mean "${near}"?` : `See: writ ${command.path.join(" ")} --help`,
    details: { unknown: field.slice(0, 80), ...(near && { nearest: near }) },
  });
}

function fromIssue(command: Command, issue: Issue): WritError {
  const flag = command.flags.find((candidate) => candidate.field === issue.path[0]);
  const where = flag ? nameOf(flag) : issue.path.map(String).join(".");
  const help = `See: writ ${command.path.join(" ")} --help`;
  const given = typeof issue.input === "string" ? ` "${issue.input.slice(0, 80)}"` : "";
  const details = { field: issue.path.map(String).join("."), problem: issue.message };
  if (issue.code === "invalid_value" && issue.values) {
    const options = issue.values.map(String);
    const near = typeof issue.input === "string" ? nearest(issue.input, options) : undefined;
    return fail("USAGE_ERROR", {
      message: `${where} cannot be${given || " that value"}.`,
      cause: `It is one of ${options.join(", ")}.`,
      remediation: near ? `Did you mean "${near}"?` : help,
      details: { ...details, options, ...(near && { nearest: near }) },
    });
  }
  if (issue.code === "unrecognized_keys" && issue.keys) {
    return fail("USAGE_ERROR", {
      message: `${where || "The input"} has no field "${issue.keys[0] ?? ""}".`,
      cause: issue.message,
      remediation: help,
      details,
    });
  }
  // What cannot be read as the type is a malformed call; what can, and lies outside its bound, is bad data.
  const malformed = issue.code === "invalid_type" || issue.code === "invalid_union";
  return fail(malformed ? "USAGE_ERROR" : "E_INVALID_VALUE", {
    message: `${where} is not valid${given && `:${given}`}.`,
    cause: flag ? boundOf(flag) : issue.message,
    remediation: help,
    details,
  });
}

/** Its bound in words; a pattern says less to a reader than what the field is for. */
function boundOf({ constraint, description }: Flag): string {
  return constraint && !constraint.startsWith("matching") ? `It must be ${constraint}.` : description;
}

/** What an input is called on every surface alike; the remediation shows how a command line gives it. */
function nameOf(flag: Flag): string {
  return flag.field;
}

function placeholder(flag: Flag): string {
  const word = flag.name.toUpperCase().replaceAll("-", "_");
  return flag.positional === undefined ? `${flagWord(flag.name)} ${word}` : word;
}
