import * as z from "zod";
import { nearest } from "../../contract/index.ts";
import type { Fault } from "./problem.ts";
import { isMapping, keysOf, schemasAt, spell, valueAt } from "./schema-walk.ts";

type Issue = z.core.$ZodIssue;
type Path = PropertyKey[];

/** A fault and the value it is about. */
export interface PlacedFault {
  path: Path;
  fault: Fault;
  /** True when the key itself is wrong, not what it holds. */
  atKey?: true;
}

export interface IssueContext {
  schema: z.core.$ZodType;
  value: unknown;
  /** The scalar at a path as it stands in the file: `19.0`, not 19. */
  written(path: Path): string;
}

/** Turns what the schema found into faults a person can act on. */
export function faultsOf(issues: readonly Issue[], context: IssueContext): PlacedFault[] {
  return issues.flatMap((issue) => placed(issue, context));
}

function placed(issue: Issue, context: IssueContext): PlacedFault[] {
  const { path } = issue;
  switch (issue.code) {
    case "invalid_type":
      return [{ path, fault: typeFault(issue.expected, path, context) }];
    case "invalid_value":
      return [{ path, fault: choiceFault(issue.values, path, context) }];
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey(key, path, context));
    case "invalid_union":
      // A union that is told apart by one key has no branches to report where the key names none.
      if (issue.errors.length === 0)
        return [{ path, fault: choiceFault(valuesAt(path, context), path, context) }];
      return branchFaults(issue.errors, path, context);
    case "too_big":
    case "too_small":
      return [{ path, fault: sizeFault(issue, context) }];
    case "invalid_key":
      return [{ path, fault: { kind: "value", message: `${spell(path)} is no valid name` }, atKey: true }];
    case "custom":
      return [
        {
          path,
          fault: (issue.params?.["fault"] as Fault | undefined) ?? { kind: "value", message: issue.message },
        },
      ];
    case "invalid_format":
    case "not_multiple_of":
    case "invalid_element":
      return [{ path, fault: { kind: "value", message: `${spell(path)} ${issue.message}` } }];
  }
}

const typeWords: Record<string, string> = {
  string: "text",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
};

function found(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (isMapping(value)) return "a mapping";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}

function typeFault(expected: string, path: Path, context: IssueContext): Fault {
  const value = valueAt(context.value, path);
  if (value === undefined) return { kind: "missing", message: `${spell(path)} is missing` };
  const message = `${spell(path)} must be ${typeWords[expected] ?? expected}, and is ${found(value)}`;
  const hint = typeHint(expected, path, context);
  return { kind: "type", message, ...(hint !== undefined && { hint }) };
}

const switchedOn: Record<string, string> = {
  yes: "true",
  on: "true",
  y: "true",
  no: "false",
  off: "false",
  n: "false",
};

function typeHint(expected: string, path: Path, context: IssueContext): string | undefined {
  const value = valueAt(context.value, path);
  const key = path.at(-1);
  const named = (text: string) => (typeof key === "string" ? `${key}: ${text}` : text);
  const isScalar = ["string", "number", "boolean", "bigint"].includes(typeof value);
  if (expected === "string" && isScalar) return named(`"${context.written(path)}"`);
  if (expected === "array" && isScalar) return named(`[${context.written(path)}]`);
  if (expected === "boolean" && typeof value === "string") {
    const meant =
      switchedOn[value.toLowerCase()] ?? (/^(?:true|false)$/i.test(value) ? value.toLowerCase() : undefined);
    return meant === undefined ? undefined : named(meant);
  }
  return undefined;
}

function choiceFault(values: readonly unknown[], path: Path, context: IssueContext): Fault {
  const value = valueAt(context.value, path);
  if (value === undefined) return { kind: "missing", message: `${spell(path)} is missing` };
  const known = values.map(String);
  const allowed = known.join(", ");
  if (typeof value !== "string") {
    return { kind: "type", message: `${spell(path)} must be one of ${allowed}, and is ${found(value)}` };
  }
  const near = nearest(value, known);
  const message = `${spell(path)} must be one of ${allowed}`;
  return { kind: "value", message, hint: near === undefined ? allowed : `did you mean "${near}"?` };
}

/** The words that the schema allows at a path. */
function valuesAt(path: Path, { schema }: IssueContext): unknown[] {
  return schemasAt(schema, path).flatMap((at) => (at instanceof z.ZodLiteral ? [...at.values] : []));
}

function unknownKey(key: string, path: Path, context: IssueContext): PlacedFault {
  // Another form of the same place may know the very key.
  const known = schemasAt(context.schema, path)
    .flatMap(keysOf)
    .filter((other) => other !== key);
  const near = nearest(key, known);
  const where = path.length === 0 ? "" : ` in ${spell(path)}`;
  const fault: Fault = { kind: "unknown_key", message: `the key "${key}" is not known${where}` };
  fault.hint = near === undefined ? `known are ${[...new Set(known)].join(", ")}` : `did you mean "${near}"?`;
  return { path: [...path, key], fault, atKey: true };
}

function sizeFault(issue: Extract<Issue, { code: "too_big" | "too_small" }>, context: IssueContext): Fault {
  const big = issue.code === "too_big";
  const bound = Number(big ? issue.maximum : issue.minimum);
  const value = valueAt(context.value, issue.path);
  const count = Array.isArray(value) || typeof value === "string" ? value.length : Number(value);
  const unit = issue.origin === "array" ? " entries" : issue.origin === "string" ? " characters" : "";
  const message = `${spell(issue.path)} must have ${big ? "at most" : "at least"} ${bound}${unit}, and has ${count}`;
  // A list that is too long is a bound of what Writ takes on; the rest is a wrong value.
  const isLimit = big && issue.origin === "array";
  return {
    kind: isLimit ? "limit" : "value",
    message,
    ...(isLimit && { facts: { limit: bound, found: count } }),
  };
}

/** Of the forms a union allows, the one the value comes nearest to is the one that was meant. */
function branchFaults(branches: readonly Issue[][], path: Path, context: IssueContext): PlacedFault[] {
  const measured = branches.map((issues) => {
    const inside = issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }) as Issue);
    return { faults: faultsOf(inside, context), distance: distanceOf(issues) };
  });
  const best = measured.reduce(
    (a, b) => (b.distance < a.distance ? b : a),
    measured[0] ?? { faults: [], distance: 0 },
  );
  if (!branches.every(isWrongType)) return best.faults;
  const value = valueAt(context.value, path);
  const known = branches
    .flat()
    .map((issue) => ("expected" in issue ? typeWords[String(issue.expected)] : undefined));
  const allowed = [...new Set(known.filter((word) => word !== undefined))].join(" or ");
  const hint = typeHint(allowed.startsWith("text") ? "string" : "", path, context);
  const message = `${spell(path)} must be ${allowed}, and is ${found(value)}`;
  return [{ path, fault: { kind: "type", message, ...(hint !== undefined && { hint }) } }];
}

function isWrongType(issues: readonly Issue[]): boolean {
  return issues.some((issue) => issue.path.length === 0 && issue.code === "invalid_type");
}

function distanceOf(issues: readonly Issue[]): number {
  // A wrong type at the top is no form of the value at all, so it is farther than any other fault.
  if (isWrongType(issues)) return 1000;
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}
