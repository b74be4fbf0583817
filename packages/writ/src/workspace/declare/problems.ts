import type * as z from "zod";
import { fail, type ErrorCode, type WritError } from "../../contract/index.ts";
import { readYaml, type YamlLimits } from "../../platform/index.ts";
import { faultsOf } from "./issues.ts";
import type { Fault, Problem } from "./problem.ts";
import { isMapping, pointerOf, withoutFreeKeys } from "./schema-walk.ts";

export type { Fault, Problem } from "./problem.ts";

/** A file as it was read, and all that is wrong with it so far. */
export interface FileReading {
  file: string;
  text: string;
  /** Undefined when the text could not be read at all. */
  value: unknown;
  problems: Problem[];
  locate(pointer: string, part?: "key" | "value"): { line: number; column: number };
}

/** Reads a YAML file; problems of the text itself are already in the result. */
export function readFile(
  bytes: Uint8Array | string,
  file: string,
  limits?: Partial<YamlLimits>,
): FileReading {
  const document = readYaml(bytes, limits);
  const problems = document.problems.map(
    ({ limit, found, ...problem }): Problem => ({
      ...problem,
      file,
      ...(limit !== undefined && { facts: { limit, found } }),
    }),
  );
  const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
  return { file, text, value: document.value, problems, locate: document.locate };
}

/** Adds a fault to a reading, at its place. */
export function report(reading: FileReading, pointer: string, fault: Fault & { atKey?: boolean }): void {
  const { atKey, ...rest } = fault;
  reading.problems.push({
    ...rest,
    file: reading.file,
    pointer,
    ...reading.locate(pointer, atKey ? "key" : "value"),
  });
}

/**
 * Holds a reading against its schema and adds every problem. With `unknown: "list"` unknown keys are no
 * problems: they are taken out, returned, and the rest is read as if they were not there.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  reading: FileReading,
  options: { unknown?: "refuse" | "list" } = {},
): { value?: z.output<S>; unknown: string[] } {
  const unknown: string[] = [];
  let value = withoutFreeKeys(schema, reading.value);
  // Each pass takes out one more level of unknown keys; the depth of a document is bounded.
  for (;;) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { value: parsed.data, unknown };
    const written = (path: PropertyKey[]) => writtenAt(reading, pointerOf(path));
    const faults = faultsOf(parsed.error.issues, { schema, value, written });
    const strange =
      options.unknown === "list" ? faults.filter(({ fault }) => fault.kind === "unknown_key") : [];
    if (strange.length === 0) {
      for (const { path, fault, atKey } of faults) report(reading, pointerOf(path), { ...fault, atKey });
      return { unknown };
    }
    unknown.push(...strange.map(({ path }) => pointerOf(path)));
    value = strange.reduce((rest, { path }) => without(rest, path), value);
  }
}

function without(value: unknown, path: readonly PropertyKey[]): unknown {
  const [member, ...rest] = path;
  if (member === undefined) return value;
  if (Array.isArray(value)) return value.map((inner, at) => (at === member ? without(inner, rest) : inner));
  if (!isMapping(value)) return value;
  const members = Object.entries(value).flatMap(([key, inner]) => {
    if (key !== member) return [[key, inner]];
    return rest.length === 0 ? [] : [[key, without(inner, rest)]];
  });
  return Object.fromEntries(members);
}

/** The scalar at a pointer as it was written; numbers lose their spelling when they are read. */
function writtenAt(reading: FileReading, pointer: string): string {
  const { line, column } = reading.locate(pointer);
  const rest = (reading.text.split("\n")[line - 1] ?? "").slice(column - 1);
  const plain = /^[^\s,\]}#*&!"'][^\s,\]}#]*/.exec(rest)?.[0];
  const quoted = /^"([^"\\]*)"|^'([^']*)'/.exec(rest)?.slice(1).find(Boolean);
  const written = plain ?? quoted ?? "…";
  // Only short spellings are worth repeating, and a URL may hold a password.
  return written.length > 40 || written.includes(":") ? "…" : written;
}

/** At most so many problems leave Writ; the rest is counted. */
const SHOWN = 200;

/** What the error of a broken file says besides its problems. */
export interface ProblemsErrorOptions {
  /** The document kind of `writ schema`. Default workspace. */
  document?: string;
  details?: Record<string, unknown>;
  /** Names the file in messages, where its name alone would not say whose it is. */
  subject?: string;
  /** The next action for the file's own code. */
  remediation?: string;
}

/** The one error of all problems of all files that were read. */
export function problemsError(
  problems: readonly Problem[],
  ownCode: ErrorCode,
  options: ProblemsErrorOptions = {},
): WritError {
  const sorted = problems.toSorted(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column,
  );
  const code = codeOf(sorted, ownCode);
  const deciding = decidingOf(sorted, code);
  const shown = sorted.slice(0, SHOWN).map(withoutFacts);
  const file = options.subject ?? [...new Set(sorted.map((problem) => problem.file))].join(", ");
  const count = sorted.length === 1 ? "a problem" : `${sorted.length} problems`;
  return fail(code, {
    message: `${file} has ${count}.`,
    cause: deciding ? `${deciding.file}:${deciding.line}: ${deciding.message}` : "Nothing could be read.",
    remediation: remediationOf(code, deciding, options),
    details: {
      ...options.details,
      ...(deciding &&
        code !== ownCode && { file: deciding.file, pointer: deciding.pointer, ...deciding.facts }),
      ...(code === "E_LIMIT" && { source: file }),
      problems: shown,
      ...(sorted.length > SHOWN && { more_problems: sorted.length - SHOWN }),
    },
  });
}

function withoutFacts(problem: Problem): Omit<Problem, "facts"> {
  const { kind, file, pointer, line, column, message, hint } = problem;
  return { kind, file, pointer, line, column, message, ...(hint !== undefined && { hint }) };
}

const decidingKind: Partial<Record<ErrorCode, Problem["kind"]>> = {
  E_UNSAFE_PATH: "unsafe_path",
  E_UNSAFE_URL: "unsafe_url",
};

/** The problem the error speaks of: of several schemas that are needed, the latest helps them all. */
function decidingOf(problems: readonly Problem[], code: ErrorCode): Problem | undefined {
  const needs = (problem: Problem) => String(problem.facts?.["needs"]);
  if (code === "E_SCHEMA_TOO_OLD") return problems.reduce((a, b) => (needs(b) > needs(a) ? b : a));
  return problems.find((problem) => problem.kind === decidingKind[code]) ?? problems[0];
}

function codeOf(problems: readonly Problem[], ownCode: ErrorCode): ErrorCode {
  const all = (kind: Problem["kind"]) =>
    problems.length > 0 && problems.every((problem) => problem.kind === kind);
  if (problems.some((problem) => problem.kind === "unsafe_path")) return "E_UNSAFE_PATH";
  if (problems.some((problem) => problem.kind === "unsafe_url")) return "E_UNSAFE_URL";
  if (all("needs_schema")) return "E_SCHEMA_TOO_OLD";
  return all("limit") ? "E_LIMIT" : ownCode;
}

function remediationOf(
  code: ErrorCode,
  deciding: Problem | undefined,
  options: ProblemsErrorOptions,
): string {
  const schema = `writ schema ${options.document ?? "workspace"}`;
  const hint = deciding?.hint === undefined ? "" : ` (${deciding.hint})`;
  if (code === "E_SCHEMA_TOO_OLD")
    return `${deciding?.hint ?? "Declare a later schema"}, or remove the field. The format: ${schema}`;
  if (code === "E_LIMIT") return `Reduce it, or leave the source out. The format: ${schema}`;
  if (options.remediation !== undefined) return options.remediation;
  return `Correct each of them${hint}. The format: ${schema}`;
}
