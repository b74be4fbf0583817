import * as z from "zod";
import { fail, type JsonSchema, nearest, type WritError } from "../../contract/index.ts";
import { readYaml, type YamlDocument } from "../../platform/index.ts";
import type { SourceId } from "../model.ts";
import { EquationFileSchema, EquationSchema } from "./spec-schema.ts";

/** What a specification file asks for; absent years are not bounded. */
export interface EquationSpec {
  query: string;
  exclude: string[];
  maxResults: number;
  native: boolean;
  minYear?: number;
  maxYear?: number;
  language: string[];
  type: string[];
  source: SourceId[];
}

/** The published schema of a specification file (draft 2020-12). */
export function equationSchema(): JsonSchema {
  return z.toJSONSchema(EquationFileSchema, { target: "draft-2020-12", io: "input" }) as JsonSchema;
}

/**
 * Reads a specification file; `file` is its name in errors.
 *
 * Throws E_UNKNOWN_FIELD with the nearest known key, E_LIMIT, or E_INVALID_SPEC for everything else that is wrong
 * with the file. The equation itself is not read here.
 */
export function readEquationSpec(input: Uint8Array | string, file: string): EquationSpec {
  const document = readYaml(input);
  requireYaml(document, file);
  const parsed = EquationFileSchema.safeParse(document.value ?? {});
  if (!parsed.success) throw refusal(parsed.error.issues, document, file);
  const { max_results: maxResults, min_year: minYear, max_year: maxYear, ...rest } = parsed.data.equation;
  return {
    ...rest,
    maxResults,
    ...(minYear !== undefined && { minYear }),
    ...(maxYear !== undefined && { maxYear }),
  };
}

function requireYaml({ problems }: YamlDocument, file: string): void {
  const [first] = problems;
  if (!first) return;
  const said = {
    message: `${file} cannot be read: line ${first.line}, column ${first.column}: ${first.message}.`,
    cause: "A specification is a YAML file with an equation.",
    remediation: `Correct it (${first.hint ?? "see writ schema research-equation"}) and run the command again.`,
  };
  const { line, limit, found } = first;
  if (first.kind === "limit") throw fail("E_LIMIT", { ...said, details: { file, limit, found } });
  throw fail("E_INVALID_SPEC", { ...said, details: { file, line, problems } });
}

function refusal(issues: readonly z.core.$ZodIssue[], document: YamlDocument, file: string): WritError {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown) return unknownField([...unknown.path, unknown.keys[0] ?? ""], document, file);
  const [issue] = issues;
  const path = issue?.path ?? [];
  const { line } = document.locate(pointer(path));
  const field = path.join(".");
  const where = field === "" ? "" : ` at ${field}`;
  return fail("E_INVALID_SPEC", {
    message: `${file}, line ${line}: ${issue?.message ?? "it is not a specification"}${where}.`,
    cause: "The file does not answer the schema of equations.",
    remediation: "Compare it with the schema: writ schema research-equation",
    details: { file, field, line },
  });
}

function unknownField(path: readonly PropertyKey[], document: YamlDocument, file: string): WritError {
  const key = String(path.at(-1));
  const known = Object.keys(path.length > 1 ? EquationSchema.shape : EquationFileSchema.shape);
  const near = nearest(key, known);
  const { line } = document.locate(pointer(path), "key");
  return fail("E_UNKNOWN_FIELD", {
    message: `${file}, line ${line}: there is no field “${key}”${near ? `; the nearest is ${near}` : ""}.`,
    cause: `Known here are ${known.join(", ")}.`,
    remediation: near
      ? `Write ${near} in its place, or remove it; the schema: writ schema research-equation`
      : "Remove it; the schema: writ schema research-equation",
    details: { file, field: path.join("."), key, line, ...(near && { nearest: near }) },
  });
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
