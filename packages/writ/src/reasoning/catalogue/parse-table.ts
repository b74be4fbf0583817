import { fail, type WritError } from "../../contract/index.ts";
import { readYaml } from "../../platform/index.ts";
import type * as z from "zod";
import * as tables from "../model/tables.ts";
import { lackingField } from "./lacking.ts";

/** Chooses a table's schema. */
export type SchemaOf<T> = (all: typeof tables) => z.ZodType<T>;

/** How a table is read: by which schema, and over what ships. */
export interface TableForm<T> {
  schemaOf: SchemaOf<T>;
  base: T;
}

/** Reads the text of a table, or says what is wrong with it and where. */
export function parseTable<T extends Parameters<typeof lackingField>[0]>(
  bytes: Uint8Array,
  file: string,
  { schemaOf, base }: TableForm<T>,
): { value: T; lines: ReadonlyMap<string, number> } | { broken: WritError } {
  const document = readYaml(bytes);
  const [problem] = document.problems;
  if (problem) return { broken: invalid(file, { line: problem.line, message: problem.message }) };
  const parsed = schemaOf(tables).safeParse(document.value);
  if (parsed.success) {
    const lacking = lackingField(parsed.data, base);
    if (!lacking) return { value: parsed.data, lines: linesOf(parsed.data, document.locate) };
    const { line } = document.locate(lacking.pointer);
    const message = "a new entry needs it, and only one that changes a shipped entry may leave it out";
    return { broken: invalid(file, { line, field: lacking.field, message }) };
  }
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".") ?? "";
  const pointer = (issue?.path ?? []).map((part) => `/${String(part)}`).join("");
  const { line } = document.locate(pointer);
  return { broken: invalid(file, { line, field, message: issue?.message ?? "it is not as it must be" }) };
}

/** The line of the first entry with each id; where two lists have one, of the later list, which refers to the other. */
function linesOf(table: object, locate: (pointer: string) => { line: number }): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [list, entries] of Object.entries(table)) {
    if (!Array.isArray(entries)) continue;
    // From the end, so that the first is what stays.
    for (const [i, entry] of [...(entries as unknown[]).entries()].toReversed()) {
      const id = typeof entry === "object" && entry !== null && "id" in entry ? entry.id : undefined;
      if (typeof id === "string") lines.set(id, locate(`/${list}/${i}`).line);
    }
  }
  return lines;
}

function invalid(file: string, { line, field, message }: { line: number; field?: string; message: string }) {
  return fail("E_CATALOGUE_INVALID", {
    message: `${file} cannot be used: line ${line}${field ? `, ${field}` : ""}: ${message}.`,
    cause: "Its form is fixed, and what is unknown in it is refused.",
    remediation: `Correct it by its schema: writ schema ${file.replace(".yml", "")}`,
    details: { file, line, ...(field !== undefined && { field }) },
  });
}
