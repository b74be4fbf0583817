import type { WorkType } from "../model.ts";
import type { Exported } from "./exported.ts";

const types: Readonly<Record<WorkType, string>> = {
  article: "JOUR",
  review: "JOUR",
  preprint: "UNPB",
  book: "BOOK",
  "book-chapter": "CHAP",
  dissertation: "THES",
  report: "RPRT",
  dataset: "DATA",
  "proceedings-article": "CPAPER",
  other: "GEN",
};

/** A paper as a RIS record; the decision and the note on it are in N1. */
export function risRecord(paper: Exported): string {
  const [first = null, last = null] = pageParts(paper.pages);
  const lines: [string, string | null][] = [
    ["ID", paper.id],
    ["TI", paper.title],
    ...paper.authors.map((name): [string, string] => ["AU", name]),
    ["PY", paper.year === null ? null : String(paper.year).padStart(4, "0")],
    ["DA", paper.date?.replaceAll("-", "/") ?? null],
    [paper.type === "book-chapter" || paper.type === "proceedings-article" ? "T2" : "JO", paper.venue],
    ["VL", paper.volume],
    ["IS", paper.issue],
    ["SP", first],
    ["EP", last],
    ["PB", paper.publisher],
    ["SN", paper.issn],
    ["DO", paper.doi],
    ["UR", paper.url],
    ["LA", paper.language],
    ["M3", paper.type === "review" ? "review" : null],
    ...paper.keywords.map((word): [string, string] => ["KW", word]),
    ["AB", paper.abstract],
    ["N1", paper.decision === null ? null : `WRIT_decision: ${paper.decision}`],
    ["N1", paper.note === null ? null : `WRIT_note: ${paper.note}`],
  ];
  const written = lines.flatMap(([tag, value]) => (value ? [`${tag}  - ${oneLine(value)}\n`] : []));
  return `TY  - ${types[paper.type ?? "article"]}\n${written.join("")}ER  - \n\n`;
}

function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, " ").trim();
}

function pageParts(pages: string | null): (string | null)[] {
  const found = /^([^-]+)-([^-]+)$/.exec(pages ?? "");
  return found ? [found[1] ?? null, found[2] ?? null] : [pages];
}
