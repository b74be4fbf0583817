import { createEventLog, type EventLog } from "./event-log.ts";
import { openReader, type Reader } from "./event-stream.ts";
import type { Limits } from "./limits.ts";

/** What a connection is read by, and how it is cut. */
interface Connection {
  signal: AbortSignal;
  disconnect?: (() => void) | undefined;
}

/** The events of one call, which outlive the connection of their reader for a while. */
export interface Stream {
  readonly id: string;
  /** The number of the newest event. */
  readonly last: number;
  readonly ended: boolean;
  send(event: string, data: unknown): void;
  /** Nothing more will be sent. */
  end(): void;
  /** Hands what follows event number `after` to a connection; an earlier reader loses the stream to it. */
  read(after: number, connection: Connection): Response;
  /** Forgets the stream; a call that still runs is given up. */
  drop(): void;
}

/** Whose stream it is, and what to do when nobody comes back for it. */
export interface Opening {
  id: string;
  owner: string;
  onDropped(): void;
}

/** The stream as the set of all streams sees it. */
export interface KeptStream extends Stream {
  owner: string;
  bytes: number;
  shrink(): boolean;
}

/** Makes the stream of one call; `shared` is told what it weighs and when it is gone. */
export function createStream(
  { id, owner, onDropped }: Opening,
  limits: Limits,
  shared: { changed(by: number): void; fit(): void; forget(): void },
): KeptStream {
  const log = createEventLog(id, limits.streamBytes);
  let ended = false;
  let dropped = false;
  const seat = createSeat({ log, ended: () => ended, limits, onLeft: drop });

  function weigh<T>(work: () => T): T {
    const before = log.bytes;
    const result = work();
    shared.changed(log.bytes - before);
    return result;
  }
  function drop(): void {
    if (dropped) return;
    dropped = true;
    shared.changed(-log.bytes);
    shared.forget();
    seat.close();
    onDropped();
  }
  return {
    id,
    owner,
    get last() {
      return log.last;
    },
    get ended() {
      return ended;
    },
    get bytes() {
      return log.bytes;
    },
    send(event, data) {
      if (dropped) return;
      weigh(() => log.append(event, data));
      shared.fit();
      seat.wake();
    },
    end() {
      ended = true;
      seat.wake();
    },
    read: seat.take,
    shrink: () => {
      const could = weigh(log.shrink);
      if (could) seat.wake();
      return could;
    },
    drop,
  };
}

/** The one place of a stream's reader, and the patience with it while it is empty. */
function createSeat(of: { log: EventLog; ended(): boolean; limits: Limits; onLeft(): void }) {
  let reader: Reader | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  return {
    wake: () => reader?.wake(),
    take(after: number, { signal, disconnect }: Connection): Response {
      clearTimeout(timer);
      const before = reader;
      const { log, ended, limits } = of;
      const mine: Reader = openReader({
        log,
        after,
        ended,
        keepAliveMs: limits.keepAliveMs,
        disconnect,
        onClosed: () => {
          if (reader !== mine || closed) return;
          reader = undefined;
          timer = setTimeout(of.onLeft, limits.resumeMs);
          timer.unref();
        },
      });
      reader = mine;
      before?.cut();
      signal.addEventListener("abort", mine.cut, { once: true });
      return mine.response;
    },
    close(): void {
      closed = true;
      clearTimeout(timer);
      reader?.cut();
    },
  };
}
