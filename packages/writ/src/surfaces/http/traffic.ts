import type { Limits } from "./limits.ts";
import { refuse } from "./refusal.ts";

/** Who is being served right now, and the bounds on it. */
export interface Traffic {
  /** Takes a place for one request, or refuses with 503; the function it returns gives the place back. */
  enter(): () => void;
  /** Takes a place for one stream of this owner, or refuses with 429 or 503. */
  openStream(owner: string): () => void;
  readonly requests: number;
  readonly streams: number;
  /** Resolves when nothing is being served. */
  idle(): Promise<void>;
}

/** Counts requests and streams; one stream outlives its request, so they are counted apart. */
export function createTraffic(limits: Limits): Traffic {
  let requests = 0;
  let streams = 0;
  const byOwner = new Map<string, number>();
  let waiting: (() => void)[] = [];

  function settle(): void {
    if (requests + streams > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    enter() {
      if (requests >= limits.requests) throw busy("requests", limits.requests);
      requests++;
      return once(() => {
        requests--;
        settle();
      });
    },
    openStream(owner) {
      const own = byOwner.get(owner) ?? 0;
      if (own >= limits.streamsPerToken) throw tooMany(limits.streamsPerToken);
      if (streams >= limits.streams) throw busy("streams", limits.streams);
      streams++;
      byOwner.set(owner, own + 1);
      return once(() => {
        streams--;
        const left = (byOwner.get(owner) ?? 1) - 1;
        if (left === 0) byOwner.delete(owner);
        else byOwner.set(owner, left);
        settle();
      });
    },
    get requests() {
      return requests;
    },
    get streams() {
      return streams;
    },
    idle: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

function busy(what: string, limit: number) {
  return refuse(503, "E_LIMIT", {
    message: "The server is busy.",
    cause: `It serves ${limit} ${what} at once, and all places are taken.`,
    remediation: "Wait a second and call again.",
    retryable: true,
    retryAfterSeconds: 1,
    details: { limit, found: limit + 1 },
  });
}

function tooMany(limit: number) {
  return refuse(429, "E_LIMIT", {
    message: "This token has too many streams open.",
    cause: `One token may hold ${limit} streams at once.`,
    remediation: "Close a stream, then open this one again.",
    retryable: true,
    retryAfterSeconds: 1,
    details: { limit, found: limit + 1 },
  });
}
