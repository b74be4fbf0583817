import { type FlowRows, type Stage, type Way, ways } from "./rows.ts";

/** A number, and what each of the two ways of finding has of it. */
export interface Count {
  databases: number;
  other: number;
  total: number;
}

/** Why papers were excluded, and when: on title and abstract, or on the full text. */
export interface Reason extends Count {
  reason: string;
  stage: Stage;
}

/** What became of the papers whose full text was looked at. */
export interface Reports {
  sought: Count;
  not_retrieved: Count;
  assessed: Count;
  excluded: Count;
}

/** The boxes of the flow of PRISMA 2020. */
export interface Boxes {
  identified: Count & {
    by_source: Record<string, Count>;
    /** Records found by following citations: those that cite, and those that are cited. */
    by_citation: { citer: number; reference: number; corpus: number };
  };
  removed: Count & { duplicates: Count; without_title: Count };
  screened: Count;
  excluded: Count;
  awaiting: Count;
  included: Count;
  /** Only where something was decided on a full text. */
  reports?: Reports;
}

/** An equation that must hold between the boxes. */
export interface Law {
  law: string;
  of: Way | "total";
  left: number;
  right: number;
  holds: boolean;
}

export interface Flow {
  boxes: Boxes;
  reasons: Reason[];
  laws: Law[];
  /** Papers of the library that nothing has identified: they were only looked up. They are in no box. */
  unidentified: number;
}

/** The flow that the rows come to. Pure. */
export function flowOf(rows: FlowRows): Flow {
  const { records, untitled, papers } = rows;
  const reasons = reasonsOf(papers);
  const excluded = count(papers.filter(({ status }) => status === "rejected"));
  const included = count(papers.filter(({ status }) => status === "accepted"));
  const duplicates = count(records.filter(({ duplicate }) => duplicate));
  const withoutTitle = count(untitled);
  const found = [...records, ...untitled];
  const followed = (via: string) => count(records.filter((one) => one.via === via)).other;
  const boxes: Boxes = {
    identified: {
      ...count(found),
      by_source: Object.fromEntries(
        [...new Set(found.map(({ source }) => source))]
          .toSorted()
          .map((source) => [source, count(found.filter((one) => one.source === source))]),
      ),
      by_citation: { citer: followed("citer"), reference: followed("reference"), corpus: followed("corpus") },
    },
    removed: { ...plus(duplicates, withoutTitle), duplicates, without_title: withoutTitle },
    screened: count(papers),
    excluded,
    awaiting: count(papers.filter(({ status }) => status === "candidate")),
    included,
    ...(rows.hasFullTexts && { reports: reportsOf(reasons, included) }),
  };
  return { boxes, reasons, laws: lawsOf(boxes, reasons), unidentified: rows.unidentified };
}

interface Counted {
  way: Way;
  n: number;
}

function count(rows: readonly Counted[]): Count {
  const of = (way: Way) => rows.reduce((sum, row) => (row.way === way ? sum + row.n : sum), 0);
  const [databases, other] = [of("databases"), of("other")];
  return { databases, other, total: databases + other };
}

function plus(...counts: readonly Count[]): Count {
  const of = (key: keyof Count) => counts.reduce((sum, one) => sum + one[key], 0);
  return { databases: of("databases"), other: of("other"), total: of("total") };
}

/** The most frequent first, then by their text. */
function reasonsOf(papers: FlowRows["papers"]): Reason[] {
  const rows = new Map<string, { stage: Stage; counted: Counted[] }>();
  for (const { reason, stage, ...counted } of papers) {
    if (reason === null || stage === null) continue;
    const known = rows.get(reason);
    if (known) known.counted.push(counted);
    else rows.set(reason, { stage, counted: [counted] });
  }
  return [...rows]
    .map(([reason, { stage, counted }]) => ({ reason, stage, ...count(counted) }))
    .toSorted((a, b) => b.total - a.total || (a.reason < b.reason ? -1 : 1));
}

/** Whoever is accepted, or excluded on the full text, was sought; what awaits a decision is not there yet. */
function reportsOf(reasons: readonly Reason[], included: Count): Reports {
  const missing = plus(...reasons.filter(({ stage }) => stage === "not_retrieved"));
  const excluded = plus(...reasons.filter(({ stage }) => stage === "fulltext"));
  const assessed = plus(excluded, included);
  return { sought: plus(assessed, missing), not_retrieved: missing, assessed, excluded };
}

function lawsOf(
  { identified, removed, screened, excluded, awaiting, included }: Boxes,
  reasons: readonly Reason[],
): Law[] {
  const laws: readonly [string, Count, Count][] = [
    ["identified = removed + screened", identified, plus(removed, screened)],
    ["screened = excluded + awaiting + included", screened, plus(excluded, awaiting, included)],
    ["excluded = sum over reasons", excluded, plus(...reasons)],
  ];
  return laws.flatMap(([law, left, right]) =>
    ([...ways, "total"] as const).map((of) => ({
      law,
      of,
      left: left[of],
      right: right[of],
      holds: left[of] === right[of],
    })),
  );
}

/** What was excluded on title and abstract: all, without what a full text was sought of. */
export function onScreening({ excluded, reports }: Boxes): Count {
  const later = (of: keyof Count) => (reports ? reports.excluded[of] + reports.not_retrieved[of] : 0);
  const left = (of: keyof Count) => excluded[of] - later(of);
  return { databases: left("databases"), other: left("other"), total: left("total") };
}
