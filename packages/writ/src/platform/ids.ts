import type { Clock, Ids } from "../contract/index.ts";
import { systemClock } from "./clock.ts";
import { randomBytes } from "./node-crypto.ts";

/** What ids are made of: an instant in milliseconds, and chance. */
export interface IdSources {
  now: () => number;
  randomBytes: (size: number) => Uint8Array;
}

// 12 bits stand between the time and the random part (RFC 9562, 6.2, method 1); half of them are left for counting.
const COUNTER_MAX = 0xfff;
const COUNTER_SEED_MASK = 0x7ff;

/** Makes typed UUIDv7 ids that only grow within this process, even when the clock steps back. */
export function createIds(sources: IdSources): Ids {
  let lastMs = 0;
  let counter = 0;

  function uuid(): string {
    const random = sources.randomBytes(10);
    const nowMs = Math.floor(sources.now());
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = (((random[0] ?? 0) << 8) | (random[1] ?? 0)) & COUNTER_SEED_MASK;
    } else if (++counter > COUNTER_MAX) {
      lastMs += 1;
      counter = 0;
    }
    return layOut(lastMs, counter, random.subarray(2));
  }

  return {
    next: (prefix) => `${prefix.replace(/_$/, "")}_${uuid()}`,
    secret: (bytes) => Buffer.from(sources.randomBytes(bytes)).toString("hex"),
  };
}

function layOut(ms: number, counter: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.set(random, 8);
  bytes[8] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Ids from a clock and the machine's secure random source. */
export function idsFrom(clock: Clock): Ids {
  return createIds({ now: () => clock.now(), randomBytes: inBulk() });
}

/** Chance for ids, taken from the system many at a time: asking it costs more than all the rest of an id. */
function inBulk(): (size: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array();
  return (size) => {
    // A secret is nobody's second use, so it never stands in memory beside what comes next.
    if (size > 10) return randomBytes(size);
    if (pool.length < size) pool = randomBytes(4000);
    const taken = pool.subarray(0, size);
    pool = pool.subarray(size);
    return taken;
  };
}

/** Ids from the machine's clock and its secure random source. */
export const systemIds: Ids = idsFrom(systemClock);
