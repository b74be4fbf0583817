import { createEventLog } from "./event-log.ts";
import { openReader, type Reader } from "./event-stream.ts";
import type { Limits } from "./limits.ts";

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
  read(after: number, connection: { signal: AbortSignal; disconnect?: (() => void) | undefined }): Response;
  /** Forgets the stream; a call that still runs is given up. */
  drop(): void;
}

/** Whose stream it is, and what to do when nobody comes back for it. */
interface Opening {
  id: string;
  owner: string;
  onDropped(): void;
}

/** Every stream that is being read, or may still be resumed. */
export interface Streams {
  open(opening: Opening): Stream;
  /** The stream of this id, if it is this owner's. */
  find(owner: string, id: string): Stream | undefined;
}

interface Kept extends Stream {
  owner: string;
  bytes: number;
  shrink(): boolean;
}

/** Keeps the streams of one server, each within its own bound and all together within theirs. */
export function createStreams(limits: Limits): Streams {
  const kept = new Map<string, Kept>();
  let bytes = 0;

  /** What has ended goes first, the oldest first; then the fullest let go of their oldest events. */
  function fit(): void {
    for (const stream of kept.values()) {
      if (bytes <= limits.allStreamBytes) return;
      if (stream.ended) stream.drop();
    }
    while (bytes > limits.allStreamBytes) {
      const fullest = [...kept.values()].reduce((most, one) => (one.bytes > most.bytes ? one : most));
      if (!fullest.shrink()) return;
    }
  }
  function makeRoomFor(owner: string): void {
    const own = [...kept.values()].filter((stream) => stream.owner === owner);
    if (own.length >= limits.streamsPerToken) own.find((stream) => stream.ended)?.drop();
  }
  const changed = (by: number): void => {
    bytes += by;
  };
  return {
    open(opening) {
      makeRoomFor(opening.owner);
      const stream = createStream(opening, limits, { changed, fit, forget: () => kept.delete(opening.id) });
      kept.set(stream.id, stream);
      return stream;
    },
    find(owner, id) {
      const stream = kept.get(id);
      return stream?.owner === owner ? stream : undefined;
    },
  };
}

function createStream(
  { id, owner, onDropped }: Opening,
  limits: Limits,
  shared: { changed(by: number): void; fit(): void; forget(): void },
): Kept {
  const log = createEventLog(id, limits.streamBytes);
  let reader: Reader | undefined;
  let ended = false;
  let dropped = false;
  let timer: NodeJS.Timeout | undefined;

  /** Does something to the log, and tells all streams together what it weighs now. */
  function weigh<T>(work: () => T): T {
    const before = log.bytes;
    const result = work();
    shared.changed(log.bytes - before);
    return result;
  }
  function drop(): void {
    if (dropped) return;
    dropped = true;
    clearTimeout(timer);
    shared.changed(-log.bytes);
    shared.forget();
    reader?.cut();
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
      reader?.wake();
    },
    end() {
      ended = true;
      reader?.wake();
    },
    read(after, { signal, disconnect }) {
      clearTimeout(timer);
      reader?.cut();
      const mine = openReader({
        log,
        after,
        ended: () => ended,
        keepAliveMs: limits.keepAliveMs,
        disconnect,
        onClosed: () => {
          if (reader !== mine || dropped) return;
          reader = undefined;
          timer = setTimeout(drop, limits.resumeMs);
          timer.unref();
        },
      });
      reader = mine;
      signal.addEventListener("abort", mine.cut, { once: true });
      return mine.response;
    },
    shrink: () => {
      const could = weigh(log.shrink);
      if (could) reader?.wake();
      return could;
    },
    drop,
  };
}
