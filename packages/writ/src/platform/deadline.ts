import type { Deadline, Interrupted } from "../contract/index.ts";

/** Joins the caller's signal with a time limit; the one that fires first is the reason. */
export function createDeadline(signal: AbortSignal, deadlineMs: number | undefined): Deadline {
  return deadlineMs === undefined ? unlimited(signal) : limited(signal, deadlineMs);
}

function unlimited(signal: AbortSignal): Deadline {
  return { signal, fired: () => (signal.aborted ? cancelledBy(signal) : undefined), stop: () => {} };
}

function limited(signal: AbortSignal, deadlineMs: number): Deadline {
  const controller = new AbortController();
  let fired: ReturnType<Deadline["fired"]>;
  const end = (how: NonNullable<typeof fired>): void => {
    fired ??= how;
    controller.abort(signal.reason);
  };
  const cancelled = (): void => end(cancelledBy(signal));
  const timer = setTimeout(() => end({ kind: "deadline" }), deadlineMs);
  if (signal.aborted) cancelled();
  else signal.addEventListener("abort", cancelled, { once: true });
  return {
    signal: controller.signal,
    fired: () => fired,
    stop: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancelled);
    },
  };
}

function cancelledBy(signal: AbortSignal) {
  const { exitCode } = (signal.reason ?? {}) as Partial<Interrupted>;
  return { kind: "cancelled" as const, ...(exitCode !== undefined && { exitCode }) };
}
