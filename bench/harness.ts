/** One thing that is measured, beside its peer in the same run. */
export interface Benchmark {
  name: string;
  about: string;
  /** Takes long: it is run by its whole name only. */
  long?: true;
  /** Of one that takes long, each part is given as it is done: what follows may fail. */
  run(settings: Settings): Promise<Finding[]> | AsyncIterable<Finding[]>;
}

export interface Settings {
  /** Timed runs of each side. */
  runs: number;
}

/** What came out: the samples of both sides, and the promise about their relation. */
export interface Finding {
  what: string;
  unit: "ms" | "requests/s" | "MB" | "count";
  writ: number[];
  /** What it stands beside; absent where the promise is a plain number. */
  peer?: { what: string; samples: number[] };
  /** `ratio` compares the two medians; `value` is Writ's median itself, `p95` its 95th percentile. */
  target?: Target;
  /** Why a column or the whole row is missing. */
  skipped?: string;
}

export interface Target {
  kind: "ratio" | "value" | "p95";
  atMost?: number;
  atLeast?: number;
}

/** A side of a comparison: what is done before each run without being timed, and what is timed. */
export interface Side {
  prepare?: () => void | Promise<void>;
  work: () => void | number | Promise<void | number>;
}

/**
 * Runs the sides in turn, each time in another order, and answers with milliseconds of each; a side that returns a
 * number is measured by that number. In turn, because a busy machine slows both: only what ran side by side compares.
 */
export async function interleave<Name extends string>(
  sides: Record<Name, Side>,
  { runs, warmUps = 2 }: { runs: number; warmUps?: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let run = -warmUps; run < runs; run++) {
    const order = run % 2 === 0 ? names : names.toReversed();
    for (const name of order) {
      const { prepare, work } = sides[name];
      await prepare?.();
      const startedAt = performance.now();
      const measured = await work();
      const sample = typeof measured === "number" ? measured : performance.now() - startedAt;
      if (run >= 0) samples[name].push(sample);
    }
  }
  return samples;
}

/** Writ's side and its peer, run in turn: one finding, in milliseconds. */
export async function compare(
  { what, writ, peer, target }: { what: string; writ: Side; peer: Side & { what: string }; target: Target },
  settings: { runs: number; warmUps?: number },
): Promise<Finding> {
  const samples = await interleave({ writ, peer }, settings);
  return {
    what,
    unit: "ms",
    writ: samples.writ,
    peer: { what: peer.what, samples: samples.peer },
    target,
  };
}

/** The value below which the given share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** What the target is held against: the ratio of the medians, the median, or the 95th percentile. */
export function measured({ writ, peer, target }: Finding): number | undefined {
  if (target?.kind === "p95") return quantile(writ, 0.95);
  if (target?.kind === "value" || !peer) return median(writ);
  return median(writ) / median(peer.samples);
}

/** Whether the target is met; with `slack` 0.2, whether it is missed by no more than a fifth. */
export function isMet(finding: Finding, slack = 0): boolean {
  const { target, skipped } = finding;
  const found = measured(finding);
  if (!target || skipped !== undefined || found === undefined) return true;
  const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = target;
  return found <= atMost * (1 + slack) && found >= atLeast * (1 - slack);
}
