/**
 * The items of a stream until the signal fires; then it throws the signal's reason at once, also while the
 * stream is silent.
 */
export async function* untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const items = stream[Symbol.asyncIterator]();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting when it fires.
  aborted.catch(() => {});
  const stop = (): void => reject(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const next = await Promise.race([items.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // Not awaited: a silent stream would answer only once it speaks.
    void items.return?.().then(undefined, () => {});
  }
}
