import type { Decision, WorkType } from "../model.ts";
import { typeOf } from "../sources/texts.ts";
import type { Draft, Reader } from "./reader.ts";
import { type TaggedDialect, taggedEntries, type TaggedValues, valuesOf } from "./tagged-lines.ts";
import { cutList, dayIn, yearOf } from "./texts.ts";

const dialect: TaggedDialect = {
  field: /^\s?([A-Z][A-Z0-9]) {1,2}-(?: (.*)|)$/,
  begins: "TY",
  ends: "ER",
  indent: /^\s+/,
};

/** RIS. Read by hand: the parser at hand loses what wraps over lines and what holds its own separator. */
export const ris: Reader = {
  source: "ris",
  async *read(text) {
    for await (const { entry, line, fields } of taggedEntries(text, dialect)) {
      yield { entry, line, draft: draftOf(valuesOf({ entry, line, fields })) };
    }
  },
};

function draftOf(values: TaggedValues): Draft {
  const dates = values.all("PY").concat(values.all("Y1"), values.all("DA"));
  const date = dates.find((one) => yearOf(one) !== null) ?? null;
  return {
    title: values.first("TI", "T1", "CT"),
    doi: values.first("DO"),
    year: yearOf(date),
    publicationDate: dates.map(dayIn).find((day) => day !== null && yearOf(day) === yearOf(date)) ?? null,
    abstract: values.first("AB", "N2"),
    venue: values.first("JO", "JF", "T2", "JA"),
    language: values.first("LA"),
    publisher: values.first("PB"),
    type: kindOf(values.first("TY"), values.first("M3")),
    authors: values.all("AU", "A1").map((name) => ({ name })),
    keywords: cutList(values.lines("KW"), /;/),
    volume: values.first("VL"),
    issue: values.first("IS"),
    pages: pagesOf(values.first("SP"), values.first("EP")),
    issn: values.first("SN"),
    url: values.first("UR"),
    ...ownMarks(values.all("N1")),
  };
}

function pagesOf(first: string | null, last: string | null): string | null {
  return first !== null && last !== null && first !== last ? `${first}-${last}` : (first ?? last);
}

/** The decision and the note that Writ writes beside a record. */
function ownMarks(notes: readonly string[]): { decision?: Decision; note?: string } {
  const marked = (word: string) =>
    notes
      .find((note) => note.startsWith(`WRIT_${word}:`))
      ?.slice(word.length + 6)
      .trim();
  const decision = marked("decision");
  const note = marked("note");
  return {
    ...((decision === "accepted" || decision === "rejected") && { decision }),
    ...(note && { note }),
  };
}

const kinds: Readonly<Record<string, WorkType>> = {
  JOUR: "article",
  JFULL: "article",
  MGZN: "article",
  NEWS: "article",
  EJOUR: "article",
  BOOK: "book",
  EBOOK: "book",
  EDBOOK: "book",
  CHAP: "book-chapter",
  ECHAP: "book-chapter",
  CONF: "proceedings-article",
  CPAPER: "proceedings-article",
  THES: "dissertation",
  RPRT: "report",
  DATA: "dataset",
  UNPB: "preprint",
};

function kindOf(type: string | null, finer: string | null): WorkType {
  const said = typeOf(finer?.replaceAll(/\s+/g, "-") ?? null);
  return said !== null && said !== "other" ? said : (kinds[type?.toUpperCase() ?? ""] ?? "other");
}
