import { hash } from "node:crypto";

/**
 * The one text of a JSON value (RFC 8785): keys in order of their UTF-16 units, no white space.
 *
 * Members that are undefined are left out, as in JSON; what JSON cannot say (NaN, a bigint, a function) is refused.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return canonicalArray(value);
  if (typeof value === "object" && value !== null) return canonicalObject(value as Record<string, unknown>);
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  if (!["number", "boolean"].includes(typeof value) && value !== null) {
    throw new TypeError(`JSON has no ${typeof value}`);
  }
  return JSON.stringify(value);
}

// Loops, because every event of a ledger goes through here whenever it is verified.
function canonicalArray(list: readonly unknown[]): string {
  let text = "";
  // By index: a hole is an undefined member, and is refused like one.
  for (let i = 0; i < list.length; i++) text += `${i === 0 ? "" : ","}${canonicalJson(list[i])}`;
  return `[${text}]`;
}

function canonicalObject(object: Record<string, unknown>): string {
  let text = "";
  for (const key of Object.keys(object).sort()) {
    if (object[key] === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(object[key])}`;
  }
  return `{${text}}`;
}

/** The SHA-256 of bytes, or of a text's UTF-8, as 64 hexadecimal digits. */
export function sha256Hex(content: Uint8Array | string): string {
  return hash("sha256", content, "hex");
}
