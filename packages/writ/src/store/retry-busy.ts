import { setTimeout as pause } from "node:timers/promises";
import { fail } from "../contract/index.ts";
import { isBusy } from "./failures.ts";

// SQLite's own wait blocks the whole process, so it is kept below what a server's lease could notice.
export const busyTimeoutMs = 10;
const longestPauseMs = 40;

export interface Patience {
  waitMs: number;
  /** A number from 0 up to 1; spreads the writers that wait. */
  chance: () => number;
}

/** Tries until the database is free, letting the process breathe in between; then E_STORE_LOCKED. */
export async function retryBusy<T>(patience: Patience, attempt: () => T | Promise<T>): Promise<T> {
  let waited = 0;
  for (let turn = 0; ; turn++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (waited >= patience.waitMs) throw storeLocked(waited, error);
      const delay = 1 + patience.chance() * Math.min(longestPauseMs, 2 ** turn);
      waited += delay + busyTimeoutMs;
      await pause(delay);
    }
  }
}

function storeLocked(waitedMs: number, from: unknown): Error {
  return fail("E_STORE_LOCKED", {
    message: "The store is busy: another process is writing to it.",
    cause: `It stayed locked for ${Math.round(waitedMs / 100) / 10} s.`,
    remediation: "Wait for the other command to end and run this again; see: writ store status",
    from,
  });
}
