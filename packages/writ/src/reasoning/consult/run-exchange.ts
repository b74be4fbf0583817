import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Adapter,
  AdvisorFailure,
  type Exchange,
  type HttpPort,
  type RawAnswer,
} from "../advisors/adapter.ts";
import { createHttpPort } from "../advisors/http-port.ts";
import { createSpawnPort } from "../advisors/spawn-port.ts";
import type { Answer } from "../model/bodies.ts";
import { bounds } from "../model/bounds.ts";
import type { Consultation } from "../model/driver-bodies.ts";
import type { ExchangeStatus } from "../model/words.ts";
import { cleanForeign, oneLined } from "../records/clean.ts";
import { digestOf } from "../store/record-bytes.ts";
import { removeTree } from "../../platform/index.ts";
import { normalise } from "./normalise.ts";

/** What one exchange needs of the machine. */
export interface Machine {
  environment: Readonly<Record<string, string | undefined>>;
  root: string;
  now(): number;
  /** The caller's: SIGINT, a closed connection. */
  signal: AbortSignal;
  http?: HttpPort;
}

/** How an exchange ended, as its record will say. */
export type Ended = Pick<
  Consultation,
  | "status"
  | "answer"
  | "diagnostic"
  | "retry_after_seconds"
  | "retry_after_capped"
  | "duration_ms"
  | "usage"
  | "response_sha256"
  | "response_bytes"
  | "model"
>;

/** A running exchange: how it ended, and when nothing of it runs any more. */
export interface Running {
  ended: Promise<Ended>;
  over: Promise<void>;
}

/**
 * Starts an exchange under a deadline. Once its signal fires, its cause alone decides the status, whatever the
 * adapter throws and however early; a signal that has fired already starts nothing.
 */
export function startExchange(
  of: { adapter: Adapter; exchange: Exchange; origin: string; timeoutMs: number },
  machine: Machine,
): Running {
  const started = performance.now();
  const controller = new AbortController();
  let cause: "timeout" | "cancelled" | undefined;
  const stop = (why: NonNullable<typeof cause>): void => {
    cause ??= why;
    controller.abort();
  };
  const cancel = (): void => stop("cancelled");
  const aborted = new Promise<void>((resolve) =>
    controller.signal.addEventListener("abort", () => resolve()),
  );
  if (machine.signal.aborted) cancel();
  else machine.signal.addEventListener("abort", cancel, { once: true });
  const timer = setTimeout(() => stop("timeout"), of.timeoutMs);
  const call = cause === undefined ? callAdapter(of, { machine, signal: controller.signal }) : undefined;
  const outcome = call?.then(
    (raw) => ({ raw }),
    (error: unknown) => ({ error }),
  );
  const ended = Promise.race([outcome, aborted]).then((first): Ended => {
    clearTimeout(timer);
    machine.signal.removeEventListener("abort", cancel);
    const duration_ms = Math.round(performance.now() - started);
    if (cause !== undefined) return { ...failed(cause, causes[cause]), duration_ms };
    if (first && "raw" in first) return { ...answered(first.raw, of.origin), duration_ms };
    return { ...failure(first?.error), duration_ms };
  });
  return { ended, over: Promise.allSettled([outcome]).then(() => undefined) };
}

const causes = { timeout: "no answer before the deadline", cancelled: "the caller gave it up" };

async function callAdapter(
  { adapter, exchange }: { adapter: Adapter; exchange: Exchange },
  { machine, signal }: { machine: Machine; signal: AbortSignal },
): Promise<RawAnswer> {
  const tmp = await mkdtemp(join(tmpdir(), "writ-advisor-"));
  try {
    // It may have fired while the folder was made: then nothing is started.
    if (signal.aborted) throw new AdvisorFailure("cancelled", causes.cancelled);
    const { environment, root, now } = machine;
    return await adapter.exchange(exchange, {
      http: machine.http ?? createHttpPort(environment),
      spawn: createSpawnPort({ environment, root, tmp }),
      secret: (name) => environment[name],
      signal,
      tmp,
      now,
    });
  } finally {
    await removeTree(tmp).catch(() => undefined);
  }
}

type Outcome = Omit<Ended, "duration_ms">;

function answered(raw: RawAnswer, origin: string): Outcome {
  const text = typeof raw?.text === "string" ? raw.text : "";
  const found = normalise(text, origin);
  const response = {
    response_sha256: digestOf(text),
    response_bytes: Buffer.byteLength(text),
    ...usageOf(raw.usage),
    ...(typeof raw.model === "string" && { model: cleanForeign(raw.model).slice(0, 200) }),
  };
  if ("status" in found) return { ...failed(found.status, found.diagnostic), ...response };
  return {
    status: "completed",
    answer: found.answer satisfies Answer,
    ...response,
    ...(raw.note !== undefined && { diagnostic: diagnosticOf(raw.note) }),
  };
}

/** Each number rounded down; one that no integer can hold is dropped, and with it the report. */
function usageOf(usage: RawAnswer["usage"]): Pick<Ended, "usage"> {
  const counts = [usage?.input_tokens, usage?.output_tokens].map((count) => {
    const whole = Math.floor(typeof count === "number" ? count : Number.NaN);
    return Number.isSafeInteger(whole) && whole >= 0 ? whole : undefined;
  });
  const [input_tokens, output_tokens] = counts;
  return input_tokens === undefined || output_tokens === undefined
    ? {}
    : { usage: { input_tokens, output_tokens } };
}

function failed(status: ExchangeStatus, diagnostic: string): Outcome {
  return { status, diagnostic: diagnosticOf(diagnostic), response_bytes: 0 };
}

function failure(error: unknown): Outcome {
  if (!(error instanceof AdvisorFailure))
    return failed("error", "its adapter failed in a way it did not foresee");
  const { status, diagnostic, retryAfterSeconds } = error;
  return { ...failed(status, diagnostic), ...retryAfter(retryAfterSeconds) };
}

function retryAfter(seconds: number | undefined): Pick<Ended, "retry_after_seconds" | "retry_after_capped"> {
  if (seconds === undefined || Number.isNaN(seconds)) return {};
  const whole = Math.max(1, Math.ceil(seconds));
  return whole > bounds.retryAfterSeconds
    ? { retry_after_seconds: bounds.retryAfterSeconds, retry_after_capped: true }
    : { retry_after_seconds: whole };
}

function diagnosticOf(text: string): string {
  return oneLined(cleanForeign(text)).slice(0, bounds.diagnosticChars);
}
