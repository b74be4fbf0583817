import type { Store } from "../store/index.ts";

// Callers that take turns, with room to spare; strangers guessing tokens must not grow the memory.
const most = 1000;

/** Keeps what was made from a store for as long as nothing is committed to it; where that cannot be told it is made each time. */
export function createRecall() {
  let of: { store: Store; version: number } | undefined;
  const answers = new Map<string, Promise<unknown>>();
  // Asked at every call: what is known is handed out as it is, without a promise more.
  return <T>(store: Store, key: string, make: () => Promise<T>): Promise<T> => {
    // Taken before it is made: a commit that comes in between makes the answer old, never wrong for long.
    const version = store.version();
    if (version === undefined) return make();
    if (of?.store !== store || of.version !== version || answers.size >= most) answers.clear();
    of = { store, version };
    const known = answers.get(key) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    made.then(
      // Another call may have seen a newer version while this one was reading.
      () => of?.store === store && of.version === version && answers.set(key, made),
      () => {},
    );
    return made;
  };
}
