/** Prepares a value for a JSON column; the same text on both databases. */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Reads a JSON column; both dialects hand it out as text, so that a JSON string is never taken for JSON. */
export function decodeJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
