import { type Count, type Flow, onScreening, type Reason } from "../flow.ts";
import { reasonName, sourceName } from "../labels.ts";
import type { Way } from "../rows.ts";

/** One entry of a box: a text with its number, below a heading where it is indented. */
export interface Entry {
  text: string;
  indented: boolean;
}

/** One step of a column: what goes on, and what leaves there. */
export interface Step {
  phase: "Identification" | "Screening";
  /** Empty where only something leaves. */
  stays: Entry[];
  leaves: Entry[];
}

/** One of the two ways to find, from top to bottom. */
export interface Column {
  way: Way;
  heading: string;
  steps: Step[];
}

export interface Diagram {
  /** One, or two where something was found by other methods. */
  columns: Column[];
  included: Entry[];
}

/** Of the reasons so many are named; the rest is one line. */
const namedReasons = 8;
const reasonLetters = 90;

/** What the diagram of a new review says, in the order of PRISMA 2020; of two columns each has the same steps. */
export function diagramOf(flow: Flow): Diagram {
  const { identified, included } = flow.boxes;
  const ways: Way[] = identified.other > 0 ? ["databases", "other"] : ["databases"];
  return {
    columns: ways.map((way) => ({ way, heading: headings[way], steps: stepsOf(flow, way) })),
    included: [
      main("Studies included in the review", included.total),
      ...(ways.length > 1
        ? [part("found in databases", included.databases), part("found by other methods", included.other)]
        : []),
    ],
  };
}

const headings: Readonly<Record<Way, string>> = {
  databases: "Identification of studies via databases and registers",
  other: "Identification of studies via other methods",
};

function stepsOf(flow: Flow, way: Way): Step[] {
  const { removed, screened, awaiting, reports } = flow.boxes;
  const of = (count: Count) => count[way];
  const screening = (stays: Entry[], leaves: Entry[]): Step => ({ phase: "Screening", stays, leaves });
  return [
    {
      phase: "Identification",
      stays: identifiedBy(flow, way),
      leaves: [
        heading("Records removed before screening:"),
        part("Duplicate records", of(removed.duplicates)),
        part("Records without a title", of(removed.without_title)),
      ],
    },
    screening(
      [main("Records screened", of(screened))],
      [main("Records excluded", of(onScreening(flow.boxes))), ...reasonsOf(flow.reasons, "screening", way)],
    ),
    // The statement has no such box: it describes reviews that are finished. In two columns it keeps them level.
    ...(awaiting.total > 0 ? [screening([], [main("Records that await a decision", of(awaiting))])] : []),
    ...(reports
      ? [
          screening(
            [main("Reports sought for retrieval", of(reports.sought))],
            [main("Reports not retrieved", of(reports.not_retrieved))],
          ),
          screening(
            [main("Reports assessed for eligibility", of(reports.assessed))],
            [main("Reports excluded", of(reports.excluded)), ...reasonsOf(flow.reasons, "fulltext", way)],
          ),
        ]
      : []),
  ];
}

function identifiedBy({ boxes: { identified } }: Flow, way: Way): Entry[] {
  if (way === "databases") {
    const sources = Object.entries(identified.by_source).filter(([, { databases }]) => databases > 0);
    return [
      main("Records identified from databases", identified.databases),
      ...sources.map(([word, { databases }]) => part(sourceName(word), databases)),
    ];
  }
  const { citer, reference, corpus } = identified.by_citation;
  const named: [string, number][] = [
    ["Citation searching, forward", citer],
    ["Citation searching, backward", reference],
    ["Restored corpus", corpus],
    ["Without a title", identified.other - citer - reference - corpus],
  ];
  return [
    main("Records identified from other methods", identified.other),
    ...named.filter(([, n]) => n > 0).map(([text, n]) => part(text, n)),
  ];
}

function reasonsOf(reasons: readonly Reason[], stage: Reason["stage"], way: Way): Entry[] {
  const found = reasons.filter((one) => one.stage === stage && one[way] > 0);
  const shown = found.length > namedReasons ? found.slice(0, namedReasons - 1) : found;
  const rest = found.slice(shown.length);
  return [
    ...shown.map((one) => part(shortened(reasonName(one.reason)), one[way])),
    ...(rest.length > 0
      ? [
          part(
            `${rest.length} other reasons`,
            rest.reduce((sum, one) => sum + one[way], 0),
          ),
        ]
      : []),
  ];
}

// Letters that turn the direction of what follows, and what is no letter at all, have no place in a line.
const unwelcome = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(unwelcome, "").trim();
  const letters = Array.from(new Intl.Segmenter("en").segment(line), ({ segment }) => segment);
  return letters.length > reasonLetters ? `${letters.slice(0, reasonLetters - 1).join("")}…` : line;
}

function main(text: string, n: number): Entry {
  return { text: `${text} (n = ${n})`, indented: false };
}

function part(text: string, n: number): Entry {
  return { text: `${text} (n = ${n})`, indented: true };
}

function heading(text: string): Entry {
  return { text, indented: false };
}
