/** What the order of reading is made of. */
export interface Readable {
  id: string;
  year: number | null;
  /** Papers in scope that cite it. */
  localCitations: number;
  scent: number;
  /** Citations the source knows. */
  citedByCount: number | null;
  community: number | null;
}

export interface Reading {
  id: string;
  /** 0 to 1; the mean of the rank shares that could be taken. */
  priority: number;
  community: number | null;
  reasons: string[];
}

interface Criterion {
  weight: number;
  value(paper: Readable): number | null;
}

/** Priority of each paper among all given, in their order. */
export function priorities(papers: readonly Readable[]): number[] {
  const sums = papers.map(() => ({ sum: 0, weight: 0 }));
  for (const { weight, value } of criteria(papers)) {
    rankShares(papers.map(value)).forEach((share, at) => {
      const so = sums[at];
      if (share === null || !so) return;
      so.sum += weight * share;
      so.weight += weight;
    });
  }
  return sums.map(({ sum, weight }) => (weight === 0 ? 0 : sum / weight));
}

function criteria(papers: readonly Readable[]): Criterion[] {
  const latest = papers.reduce((last, { year }) => Math.max(last, year ?? last), Number.NEGATIVE_INFINITY);
  return [
    { weight: 0.4, value: ({ localCitations }) => localCitations },
    { weight: 0.2, value: ({ scent }) => scent },
    { weight: 0.2, value: (paper) => citationsAYear(paper, latest) },
    { weight: 0.2, value: ({ year }) => year },
  ];
}

/** Upstream citations a year, up to the latest year in scope; null when either is unknown. */
function citationsAYear({ citedByCount, year }: Readable, latest: number): number | null {
  return citedByCount === null || year === null ? null : citedByCount / (latest - year + 1);
}

/** (number smaller + half the number of equal others) / (n - 1) of each value among those known; 1 if it is alone. */
export function rankShares(values: readonly (number | null)[]): (number | null)[] {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const firsts = new Map<number, { smaller: number; equal: number }>();
  known.forEach((value, at) => {
    const met = firsts.get(value);
    if (met) met.equal += 1;
    else firsts.set(value, { smaller: at, equal: 0 });
  });
  return values.map((value) => {
    const place = value === null ? undefined : firsts.get(value);
    if (!place) return null;
    return known.length === 1 ? 1 : (place.smaller + place.equal / 2) / (known.length - 1);
  });
}

/**
 * The `count` papers to read, in an order in which a paper comes after those of the list that it cites: first the best
 * of each community, largest community first, then the best of the rest. `citesOf` is asked of those papers only.
 */
export async function readingList(
  papers: readonly Readable[],
  count: number,
  citesOf: (
    ids: readonly string[],
  ) => ReadonlyMap<string, readonly string[]> | Promise<ReadonlyMap<string, readonly string[]>>,
): Promise<Reading[]> {
  const priority = priorities(papers);
  const ranked = papers.map((paper, at) => ({ paper, priority: priority[at] ?? 0 })).toSorted(byPriority);
  const sizes = new Map<number, number>();
  const best = new Map<number, Ranked>();
  for (const one of ranked) {
    const { community } = one.paper;
    if (community === null) continue;
    sizes.set(community, (sizes.get(community) ?? 0) + 1);
    if (!best.has(community)) best.set(community, one);
  }
  const firsts = new Set(
    [...best]
      .toSorted(([a], [b]) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || a - b)
      .map(([, one]) => one),
  );
  const chosen = [...firsts, ...ranked.filter((one) => !firsts.has(one))].slice(0, count);
  const cites = await citesOf(chosen.map(({ paper }) => paper.id));
  return ordered(chosen, cites).map((one) => ({
    id: one.paper.id,
    priority: one.priority,
    community: one.paper.community,
    reasons: reasonsOf(one.paper, firsts.has(one)),
  }));
}

const byPriority = (a: Ranked, b: Ranked): number =>
  b.priority - a.priority || (a.paper.id < b.paper.id ? -1 : 1);

interface Ranked {
  paper: Readable;
  priority: number;
}

/** Each after what it cites; of those that may come next the best, then the smaller id. */
function ordered(chosen: readonly Ranked[], cites: ReadonlyMap<string, readonly string[]>): Ranked[] {
  const left = new Map(chosen.toSorted(byPriority).map((one) => [one.paper.id, one]));
  const waits = new Map(
    [...left.values()].map(({ paper }) => [
      paper.id,
      new Set((cites.get(paper.id) ?? []).filter((id) => id !== paper.id && left.has(id))),
    ]),
  );
  const list: Ranked[] = [];
  while (left.size > 0) {
    const next = [...left.values()].find(({ paper }) => waits.get(paper.id)?.size === 0);
    if (!next) {
      cutCycle(left, waits);
      continue;
    }
    list.push(next);
    left.delete(next.paper.id);
    for (const wait of waits.values()) wait.delete(next.paper.id);
  }
  return list;
}

/** Papers that cite each other: nobody waits any more for the latest of them, of equal years the one of larger id. */
function cutCycle(left: ReadonlyMap<string, Ranked>, waits: ReadonlyMap<string, Set<string>>): void {
  const inCycle = [...left.values()].filter(({ paper }) => reaches(paper.id, paper.id, waits));
  const latest = inCycle.reduce((a, b) => (isLater(b.paper, a.paper) ? b : a));
  for (const wait of waits.values()) wait.delete(latest.paper.id);
}

function isLater(a: Readable, b: Readable): boolean {
  const [yearA, yearB] = [a.year ?? Number.POSITIVE_INFINITY, b.year ?? Number.POSITIVE_INFINITY];
  return yearA === yearB ? a.id > b.id : yearA > yearB;
}

function reaches(from: string, to: string, waits: ReadonlyMap<string, Set<string>>): boolean {
  const [seen, line] = [new Set<string>(), [...(waits.get(from) ?? [])]];
  for (let id = line.pop(); id !== undefined; id = line.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    line.push(...(waits.get(id) ?? []));
  }
  return false;
}

function reasonsOf(paper: Readable, isFirst: boolean): string[] {
  const { localCitations, scent, citedByCount, year, community } = paper;
  const reasons: string[] = [];
  if (isFirst && community !== null) reasons.push(`the best of community ${community}`);
  if (localCitations > 0) reasons.push(`cited by ${localCitations} ${papersWord(localCitations)} here`);
  if (scent > 0) reasons.push(`scent ${scent}`);
  if (citedByCount !== null) reasons.push(`${citedByCount} citations in all`);
  if (year !== null) reasons.push(`of ${year}`);
  return reasons.length > 0 ? reasons : ["nothing is known of it but its title"];
}

const papersWord = (count: number): string => (count === 1 ? "paper" : "papers");
