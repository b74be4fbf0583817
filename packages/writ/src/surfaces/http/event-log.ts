const encoder = new TextEncoder();

/** The newest events of one call, as the bytes of server-sent events, within a bound of memory. */
export interface EventLog {
  append(event: string, data: unknown): void;
  /** The first event behind number `n` that is still kept; `missed` counts those between that are not. */
  next(n: number): { n: number; missed: number; chunk: Uint8Array } | undefined;
  /** Lets go of the oldest event and says whether it could: the newest always stays, the envelope is one. */
  shrink(): boolean;
  /** The number of the newest event; the first has number 1. */
  readonly last: number;
  readonly bytes: number;
}

/** Makes the log of one call, whose events are named `<id>.<number>`. */
export function createEventLog(id: string, mostBytes: number): EventLog {
  const chunks = new Map<number, Uint8Array>();
  let oldest = 1;
  let last = 0;
  let bytes = 0;

  function shrink(): boolean {
    if (oldest >= last) return false;
    bytes -= chunks.get(oldest)?.byteLength ?? 0;
    chunks.delete(oldest++);
    return true;
  }

  return {
    append(event, data) {
      last++;
      const chunk = encoder.encode(`id: ${id}.${last}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      chunks.set(last, chunk);
      bytes += chunk.byteLength;
      while (bytes > mostBytes && shrink());
    },
    next(n) {
      const found = Math.max(n + 1, oldest);
      const chunk = chunks.get(found);
      return chunk && { n: found, missed: found - n - 1, chunk };
    },
    shrink,
    get last() {
      return last;
    },
    get bytes() {
      return bytes;
    },
  };
}
