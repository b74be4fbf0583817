import { dryRunFlag, fail, type Flag, nearest, type Row } from "../../contract/index.ts";

/** Reads an address's query parameters as the input of a call, typed by its flags. */
export function readQuery(row: Row, url: string): Record<string, unknown> {
  const start = url.indexOf("?");
  if (start < 0) return {};
  const query = new URLSearchParams(url.slice(start + 1));
  const flags = new Map(
    [...row.flags, ...(row.mutates ? [dryRunFlag] : [])].map((flag) => [flag.field, flag] as const),
  );
  const input: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const flag = flags.get(name);
    if (!flag) throw unknownParameter(row, name);
    const values = query.getAll(name).map((text) => valueOf(flag, text));
    if (!flag.many && values.length > 1)
      throw unreadable(flag, "It is given several times, and takes one value.");
    input[name] = flag.many ? values.flat() : values[0];
  }
  return input;
}

function valueOf(flag: Flag, text: string): unknown {
  switch (flag.kind) {
    case "string":
      return text;
    case "boolean":
      return booleanOf(flag, text);
    case "integer":
    case "number":
      return numberOf(flag, text);
    case "json":
      return jsonOf(flag, text);
  }
}

function booleanOf(flag: Flag, text: string): boolean {
  if (text === "true" || text === "1" || text === "") return true;
  if (text === "false" || text === "0") return false;
  throw unreadable(flag, `"${text.slice(0, 80)}" is neither true nor false.`);
}

function numberOf(flag: Flag, text: string): number {
  const value = Number(text);
  if (text.trim() !== text || text === "" || !Number.isFinite(value)) {
    throw unreadable(flag, `"${text.slice(0, 80)}" is not a number.`);
  }
  return value;
}

function jsonOf(flag: Flag, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(flag, error instanceof Error ? error.message : "It is not JSON.");
  }
}

function unknownParameter(row: Row, name: string) {
  const known = row.flags.map((flag) => flag.field);
  const near = nearest(name, known);
  return fail("USAGE_ERROR", {
    message: `${row.path.join(" ")} has no input named "${name.slice(0, 80)}".`,
    cause: known.length > 0 ? `Its inputs are ${known.join(", ")}.` : "It takes no input.",
    remediation: near ? `Did you mean "${near}"?` : `See: writ ${row.path.join(" ")} --help`,
    details: { unknown: name.slice(0, 80), ...(near && { nearest: near }) },
  });
}

function unreadable(flag: Flag, cause: string) {
  return fail("USAGE_ERROR", {
    message: `The parameter ${flag.field} cannot be read.`,
    cause,
    remediation: `Give ${flag.field} as ${flag.kind === "json" ? "JSON" : `a ${flag.kind}`}, or send the input as JSON with POST.`,
    details: { field: flag.field },
  });
}
