import { normaliseDoi } from "../library/identity.ts";
import type { ExternalId, Institution, OtherReference, WorkType } from "../model.ts";
import { integer } from "../sources/json.ts";
import { typeOf } from "../sources/texts.ts";
import { countryOf } from "./places.ts";
import type { Draft, Reader } from "./reader.ts";
import { type TaggedDialect, taggedEntries, type TaggedValues, valuesOf } from "./tagged-lines.ts";
import { cutList, dayOf, monthOf, oneLine, yearOf } from "./texts.ts";

const dialect: TaggedDialect = {
  field: /^([A-Z][A-Z0-9])(?: (.*)|\s*)$/,
  begins: "PT",
  ends: "ER",
  indent: /^ {1,3}/,
};

/** Web of Science, the tagged plain text. */
export const wos: Reader = {
  source: "wos",
  async *read(text) {
    for await (const tagged of taggedEntries(text, dialect)) {
      yield { entry: tagged.entry, line: tagged.line, draft: draftOf(valuesOf(tagged)) };
    }
  },
};

function draftOf(values: TaggedValues): Draft {
  const ut = values.first("UT");
  const pmid = values.first("PM");
  const full = values.lines("AF");
  const names = full.length > 0 ? full : values.lines("AU");
  const places = addressesOf(values.lines("C1"), names);
  const year = yearOf(values.first("PY") ?? values.first("EA"));
  const [month, day] = (values.first("PD") ?? "").split(/[\s-]+/);
  const ids: ExternalId[] = [];
  if (ut !== null) ids.push({ engine: "wos", value: ut });
  if (pmid !== null) ids.push({ engine: "pmid", value: pmid });
  return {
    title: values.first("TI"),
    doi: values.first("DI"),
    sourceId: ut === null ? null : `wos:${ut}`,
    ids,
    year,
    publicationDate: dayOf(year, monthOf(month), Number(day)),
    abstract: values.first("AB"),
    venue: values.first("SO"),
    language: values.first("LA"),
    publisher: values.first("PU"),
    researchAreas: cutList(values.all("WC"), /;/),
    type: kindOf(values.first("DT"), values.first("PT")),
    citedByCount: integer(values.first("TC")),
    authors: names.map((name, at) => ({ name, institutions: places[at] ?? [] })),
    keywords: cutList([...values.all("DE"), ...values.all("ID")], /;/),
    otherReferences: values.lines("CR").map(referenceOf),
    volume: values.first("VL"),
    issue: values.first("IS"),
    pages: pagesOf(values),
    issn: values.first("SN", "EI"),
  };
}

/** One reference a line; the first DOI in it is its own. */
function referenceOf(line: string): OtherReference {
  const raw = oneLine(line);
  const found = /\b(10\.\d{4,9}\/[^\s,;\]]+)/.exec(raw);
  return { doi: normaliseDoi(found?.[1]), id: null, raw };
}

/** For each author the institutions of the addresses that name them; an address without names is everybody's if it is the only one. */
function addressesOf(lines: readonly string[], names: readonly string[]): Institution[][] {
  const places: Institution[][] = names.map(() => []);
  const known = new Map(names.map((name, at) => [name.toLowerCase(), at]));
  for (const line of lines) {
    const found = /^(?:\[([^\]]*)\]\s*)?(.+)$/.exec(line);
    const institution = institutionOf(found?.[2] ?? "");
    if (!institution) continue;
    const named = found?.[1]?.split(";").map((name) => known.get(name.trim().toLowerCase()));
    const whose = named ?? (lines.length === 1 ? names.map((_, at) => at) : []);
    for (const at of whose) {
      const own = at === undefined ? undefined : places[at];
      if (own && !own.some(({ name }) => name === institution.name)) own.push(institution);
    }
  }
  return places;
}

function institutionOf(address: string): Institution | undefined {
  const parts = address.split(",").map((part) => part.trim().replace(/\.$/, ""));
  const name = parts[0];
  return name ? { id: null, name, ror: null, country: countryOf(parts.at(-1) ?? "") } : undefined;
}

function pagesOf(values: TaggedValues): string | null {
  const first = values.first("BP");
  const last = values.first("EP");
  if (first === null) return values.first("AR");
  return last === null || last === first ? first : `${first}-${last}`;
}

/** The finest of its document types: a paper of proceedings is also called an article. */
function kindOf(types: string | null, publication: string | null): WorkType | null {
  const words = (types ?? "")
    .split(";")
    .map((word) => word.trim().toLowerCase().replaceAll(/\s+/g, "-"))
    .filter((word) => word !== "");
  const kinds = words.map((word) => typeOf(word));
  const finer = kinds.find((kind) => kind !== "article" && kind !== "other" && kind !== null);
  return finer ?? kinds[0] ?? (publication === "B" ? "book" : publication === "J" ? "article" : null);
}
