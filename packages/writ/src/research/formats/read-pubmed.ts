import type { ExternalId, WorkType } from "../model.ts";
import { addressOf } from "./places.ts";
import type { Draft, DraftAuthor, Reader } from "./reader.ts";
import {
  type TaggedDialect,
  type TaggedEntry,
  taggedEntries,
  type TaggedValues,
  valuesOf,
} from "./tagged-lines.ts";
import { dayIn, distinct, yearOf } from "./texts.ts";

const dialect: TaggedDialect = {
  field: /^([A-Z]{2,4}) *- ?(.*)$/,
  begins: "PMID",
  indent: /^\s+/,
};

/** MEDLINE, as PubMed writes it. */
export const pubmed: Reader = {
  source: "pubmed",
  async *read(text) {
    for await (const tagged of taggedEntries(text, dialect)) {
      yield { entry: tagged.entry, line: tagged.line, draft: draftOf(tagged, valuesOf(tagged)) };
    }
  },
};

function draftOf(tagged: TaggedEntry, values: TaggedValues): Draft {
  const pmid = values.first("PMID");
  const dates = values.all("DP");
  const types = values.all("PT").map((type) => type.toLowerCase());
  return {
    title: values.first("TI", "BTI"),
    doi: doiOf(values.all("LID", "AID")),
    sourceId: pmid === null ? null : `pmid:${pmid}`,
    ids: pmid === null ? [] : [{ engine: "pmid", value: pmid } satisfies ExternalId],
    year: yearOf(dates[0]),
    publicationDate: dayIn(dates[0]),
    abstract: values.first("AB"),
    venue: values.first("JT", "TA"),
    language: values.first("LA"),
    publisher: values.first("PB"),
    type: kindOf(types),
    isRetracted: types.includes("retracted publication") ? true : null,
    authors: authorsOf(tagged),
    keywords: distinct([
      ...values.all("MH").map((heading) => (heading.split("/")[0] ?? "").replaceAll("*", "")),
      ...values.all("OT").map((word) => word.replace(/^\*/, "")),
    ]),
    volume: values.first("VI"),
    issue: values.first("IP"),
    pages: values.first("PG"),
    issn: values.first("IS")?.split(" ")[0] ?? null,
  };
}

function doiOf(ids: readonly string[]): string | null {
  return ids.find((id) => id.endsWith("[doi]"))?.replace(/\s*\[doi\]$/, "") ?? null;
}

/** Full names where there are any; addresses and ORCIDs stand behind the author they belong to. */
function authorsOf({ fields }: TaggedEntry): DraftAuthor[] {
  const tag = fields.some((field) => field.tag === "FAU") ? "FAU" : "AU";
  const authors: Required<DraftAuthor>[] = [];
  for (const field of fields) {
    const value = field.lines.join(" ").trim();
    const author = authors.at(-1);
    if (field.tag === tag || field.tag === "CN") {
      if (value !== "") authors.push({ name: value, orcid: null, institutions: [] });
    } else if (author && field.tag === "AD") {
      const place = addressOf(value.split(";")[0] ?? "");
      if (place && !author.institutions.some(({ name }) => name === place.name)) {
        author.institutions.push({ id: null, ror: null, ...place });
      }
    } else if (author && field.tag === "AUID") {
      author.orcid ??= /\d{4}-\d{4}-\d{4}-\d{3}[\dX]/i.exec(value)?.[0] ?? null;
    }
  }
  return authors;
}

const kinds: readonly [word: RegExp, kind: WorkType][] = [
  [/review|meta-analysis/, "review"],
  [/preprint/, "preprint"],
  [/dataset/, "dataset"],
  [/academic dissertation/, "dissertation"],
  [/technical report/, "report"],
  [/congress/, "proceedings-article"],
  [/article|trial|study|letter|editorial/, "article"],
];

function kindOf(types: readonly string[]): WorkType | null {
  if (types.length === 0) return null;
  return kinds.find(([word]) => types.some((type) => word.test(type)))?.[1] ?? "other";
}
