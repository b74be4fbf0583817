import type { Clock } from "../contract/index.ts";

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** An instant as RFC 3339 in UTC, with milliseconds: `2026-01-31T09:00:00.000Z`. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}
