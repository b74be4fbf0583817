import type { SQLInputValue } from "node:sqlite";

/**
 * One SQL parameter as node:sqlite can take it without a silent loss: it binds a Date in first place as
 * NULL, takes booleans in one version and refuses them in another, and throws on undefined.
 */
export function bind(value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "bigint" && value >= minInt64 && value <= maxInt64) return value;
  if (value instanceof Date) return value.toISOString();
  // A list or an object would be taken for named parameters; JSON columns go through the codec.
  throw new TypeError(`A SQL parameter cannot be ${describe(value)}.`);
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return `${typeof value} ${String(value)}`;
}
