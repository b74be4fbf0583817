import type { ExchangeStatus } from "../model/words.ts";

/** How one exchange with an advisor ended, or that its holds were lifted. */
export interface OutcomeEntry {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  outcome: ExchangeStatus | "circuit_reset";
  retry_after_seconds?: number;
}

export type HoldClass = "authentication" | "quota" | "rate" | "transient";

/** Whether an advisor is held back, by what, and until when. */
export interface Circuit {
  open?: { class: HoldClass; opened_by: string; failures: number; until: number };
  /** No hold is open, and at least one was set since the last answer or reset: the next exchange is a probe. */
  recovering: boolean;
}

interface Hold {
  /** Since the last clearing. */
  failures: number;
  until: number;
  length: number;
  opened_by: string;
}

const longestMs = 86_400_000;
/** Outcomes stamped further ahead of now are left out. */
export const ignoreAheadMs = 300_000;
/** After one of these nothing of what was before counts. */
export const clearing: ReadonlySet<OutcomeEntry["outcome"]> = new Set(["completed", "circuit_reset"]);
/** On a tie the earlier is shown. */
const classes: readonly HoldClass[] = ["authentication", "quota", "rate", "transient"];

/**
 * The circuit of one advisor from its outcomes in order of their sequence.
 *
 * A hold lasts from its record on. Failing again once a hold was over, which is a failed probe, doubles it; a later
 * hold never shortens an earlier one. Outcomes stamped more than five minutes ahead of now are left out.
 */
export function circuitOf(
  entries: readonly OutcomeEntry[],
  { now, cooldownSeconds }: { now: number; cooldownSeconds?: number },
): Circuit {
  const holds = new Map<HoldClass, Hold>();
  for (const entry of entries) {
    if (entry.at > now + ignoreAheadMs) continue;
    if (clearing.has(entry.outcome)) holds.clear();
    else apply(holds, entry, cooldownSeconds);
  }
  const set = classes.flatMap((name) => {
    const hold = holds.get(name);
    return hold && hold.until > 0 ? [{ class: name, ...hold }] : [];
  });
  const open = set.filter(({ until }) => until > now);
  if (open.length === 0) return { recovering: set.length > 0 };
  const shown = open.reduce((last, one) => (one.until > last.until ? one : last));
  const { class: kind, opened_by, failures, until } = shown;
  return { open: { class: kind, opened_by, failures, until }, recovering: false };
}

function apply(holds: Map<HoldClass, Hold>, entry: OutcomeEntry, cooldownSeconds: number | undefined): void {
  const failure = failureOf(entry);
  if (!failure) return;
  const before = holds.get(failure.class) ?? { failures: 0, until: 0, length: 0, opened_by: "" };
  const failures = before.failures + 1;
  if (failure.class === "transient" && failures < 2) {
    holds.set(failure.class, { ...before, failures });
    return;
  }
  // With an override of zero a hold is over when it begins, and is no hold.
  if (cooldownSeconds === 0) {
    holds.set(failure.class, { ...before, failures });
    return;
  }
  const length = lengthOf(entry.at, before, { baseMs: failure.baseMs, cooldownSeconds });
  const until = Math.max(before.until, entry.at + length);
  holds.set(failure.class, { failures, until, length, opened_by: entry.id });
}

function lengthOf(
  at: number,
  before: Hold,
  { baseMs, cooldownSeconds }: { baseMs: number; cooldownSeconds: number | undefined },
): number {
  if (cooldownSeconds !== undefined) return cooldownSeconds * 1000;
  const failedProbe = before.until > 0 && at >= before.until;
  const length = failedProbe ? Math.max(baseMs, before.length * 2) : baseMs;
  return Math.min(length, longestMs);
}

function failureOf({
  outcome,
  retry_after_seconds,
}: OutcomeEntry): { class: HoldClass; baseMs: number } | undefined {
  const asked = retry_after_seconds === undefined ? undefined : retry_after_seconds * 1000;
  switch (outcome) {
    case "timeout":
    case "unavailable":
    case "error":
      return { class: "transient", baseMs: 600_000 };
    case "rate_limited":
      return { class: "rate", baseMs: asked ?? 900_000 };
    case "auth_failed":
      return { class: "authentication", baseMs: 3_600_000 };
    case "quota_exhausted":
      return { class: "quota", baseMs: Math.max(asked ?? 0, 21_600_000) };
    case "completed":
    case "circuit_reset":
    case "malformed":
    case "empty":
    case "cancelled":
    case "not_configured":
      return undefined;
  }
}
