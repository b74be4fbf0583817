/**
 * A copy whose every text both databases can keep and canonical JSON can say: NUL and lone surrogates,
 * which a file's name may hold, become U+FFFD.
 */
export function wellFormed<T>(value: T): T {
  return tidy(value) as T;
}

function tidy(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\uFFFD");
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [tidy(key), tidy(member)]));
}
