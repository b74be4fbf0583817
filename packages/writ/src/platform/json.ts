/**
 * The one text of a JSON value (RFC 8785): keys in order of their UTF-16 units, no white space.
 *
 * Members that are undefined are left out, as in JSON; what JSON cannot say (NaN, a bigint, a function) is refused.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((member: unknown) => canonicalJson(member)).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalObject(value as Record<string, unknown>);
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  if (!["string", "number", "boolean"].includes(typeof value) && value !== null) {
    throw new TypeError(`JSON has no ${typeof value}`);
  }
  return JSON.stringify(value);
}

function canonicalObject(object: Record<string, unknown>): string {
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`);
  return `{${members.join(",")}}`;
}
