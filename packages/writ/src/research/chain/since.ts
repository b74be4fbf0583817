import { fail } from "../../contract/index.ts";
import { day } from "../sources/json.ts";

const dayMs = 86_400_000;
const units = { d: 1, m: 30, y: 365 } as const;
/** Works are indexed late, so monitoring looks back a month further than its last time. */
const lateDays = 30;

/**
 * The first day of publication that is asked for: a date, so many days (`90d`), months of 30 (`2m`) or years of 365
 * days (`1y`) before now, or `last`: a month before the last finished run began. Undefined for `last` without one.
 */
export function sinceOf(text: string, now: number, lastRun: Date | null): string | undefined {
  if (text === "last") return lastRun ? dayOf(lastRun.getTime() - lateDays * dayMs) : undefined;
  const ago = /^(\d{1,5})([dmy])$/.exec(text);
  if (ago) return dayOf(now - Number(ago[1]) * units[ago[2] as keyof typeof units] * dayMs);
  const given = text.length === 10 ? day(text) : null;
  if (given !== null) return given;
  throw fail("USAGE_ERROR", {
    message: `--since ${JSON.stringify(text)} is no time.`,
    cause: "It is a date (2026-01-31), a number of days, months or years (90d, 2m, 1y), or last.",
    remediation: "Give one of those: writ research chain --since last",
    details: { allowed: ["YYYY-MM-DD", "Nd", "Nm", "Ny", "last"] },
  });
}

function dayOf(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString().slice(0, 10);
}
