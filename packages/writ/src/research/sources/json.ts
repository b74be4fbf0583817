import { isDay, orNull } from "../formats/texts.ts";

/** Looks into answers of strangers: what is not of the expected kind is absent, never a crash. */

export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : none;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** One line of text, as a file's would be: a line break or an escape in a title can pass for something else. */
export function text(value: unknown): string | null {
  return typeof value === "string" ? orNull(value) : null;
}

/** A whole number, also one written as text. */
export function integer(value: unknown): number | null {
  const number = typeof value === "string" && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : null;
}

export function number(value: unknown): number | undefined {
  const given = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof given === "number" && Number.isFinite(given) ? given : undefined;
}

/** What stands behind the last slash: the id in an address. */
export function lastPart(value: unknown): string | null {
  const whole = text(value);
  if (whole === null) return null;
  const bare = whole.endsWith("/") ? whole.replace(/\/+$/, "") : whole;
  return bare.slice(bare.lastIndexOf("/") + 1) || null;
}

/** YYYY-MM-DD, or null for anything else. */
export function day(value: unknown): string | null {
  const given = text(value)?.slice(0, 10) ?? null;
  if (given === null || !/^\d{4}-\d{2}-\d{2}$/.test(given)) return null;
  return isDay(Number(given.slice(0, 4)), Number(given.slice(5, 7)), Number(given.slice(8))) ? given : null;
}
