import type { EventLog } from "./event-log.ts";

/** One reader of a call's events. */
export interface Reader {
  response: Response;
  /** Something was appended to the log, or the log has ended. */
  wake(): void;
  /** Takes the stream away from this reader. */
  cut(): void;
}

interface ReaderOptions {
  log: EventLog;
  /** The number of the newest event that the reader has; 0 for none. */
  after: number;
  /** Whether the newest event of the log is its last for ever. */
  ended(): boolean;
  keepAliveMs: number;
  /** The reader was handed everything, left, fell behind or was cut. Called once. */
  onClosed(): void;
  /** Cuts the connection; absent where there is none. */
  disconnect?: (() => void) | undefined;
}

const encoder = new TextEncoder();
// Enough for one write; what waits for a slow reader waits in the log.
const aheadBytes = 16 * 1024;

/**
 * Opens a stream of server-sent events that reads a log: a writer never waits for a reader, no event is kept
 * twice, and a reader that falls behind the log loses the stream rather than the server its memory.
 */
export function openReader(options: ReaderOptions): Reader {
  const { log } = options;
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let open = true;
  const { missed = 0 } = log.next(options.after) ?? {};
  let at = options.after + missed;
  const bell = createBell();

  function stop(): void {
    if (!open) return;
    open = false;
    clearInterval(heartbeat);
    bell.ring();
    options.onClosed();
  }
  function cut(): void {
    if (!open) return;
    stop();
    (options.disconnect ?? (() => controller.error(new Error("the reader fell behind"))))();
  }
  /** Hands on as much as the reader takes, and says whether that was anything. */
  function hand(): boolean {
    const from = at;
    while (open && (controller.desiredSize ?? 0) > 0) {
      const next = log.next(at);
      if (!next) break;
      controller.enqueue(next.chunk);
      at = next.n;
    }
    if (open && options.ended() && at === log.last) {
      stop();
      controller.close();
    }
    return at > from;
  }

  const beat = (): void => void (bell.awaited() && controller.enqueue(encoder.encode(": still here\n\n")));
  // A reader that vanished without a word is noticed by writing to it.
  const heartbeat = setInterval(beat, options.keepAliveMs).unref();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
        if (missed > 0) controller.enqueue(encoder.encode(gap(missed)));
      },
      pull: async () => {
        if (hand() || !open) return;
        await bell.wait();
        hand();
      },
      cancel: stop,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: aheadBytes }),
  );
  const wake = (): void => ((log.next(at)?.missed ?? 0) > 0 ? cut() : bell.ring());
  return { response: new Response(body, { headers: eventHeaders }), wake, cut };
}

/** Something one may wait for, again and again. */
function createBell() {
  let waiting: (() => void) | undefined;
  return {
    awaited: () => waiting !== undefined,
    wait: () =>
      new Promise<void>((resolve) => {
        waiting = resolve;
      }),
    ring(): void {
      waiting?.();
      waiting = undefined;
    },
  };
}

const eventHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no",
};

/** Said to a reader that comes back too late for some events; it has no id, so it moves no position. */
function gap(missed: number): string {
  return `event: missed\ndata: ${JSON.stringify({ event: "missed", count: missed })}\n\n`;
}
