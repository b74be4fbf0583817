import type { Store } from "../store/index.ts";

// Callers that take turns, with room to spare; strangers guessing tokens must not grow the memory.
const most = 1000;

/** Keeps what was made from a store for as long as nothing is committed to it; where that cannot be told it is made each time. */
export function createRecall() {
  let of: { store: Store; version: number } | undefined;
  const answers = new Map<string, unknown>();
  return async <T>(store: Store, key: string, make: () => Promise<T>): Promise<T> => {
    // Taken before it is made: a commit that comes in between makes the answer old, never wrong for long.
    const version = store.version();
    if (version === undefined) return make();
    if (of?.store !== store || of.version !== version || answers.size >= most) answers.clear();
    of = { store, version };
    if (answers.has(key)) return answers.get(key) as T;
    const answer = await make();
    // Another call may have seen a newer version while this one was reading.
    if (of.store === store && of.version === version) answers.set(key, answer);
    return answer;
  };
}
