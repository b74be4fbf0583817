import { Readable } from "node:stream";
import { normaliseDoi } from "../library/identity.ts";
import type { ExternalId, Institution, OtherReference } from "../model.ts";
import { integer } from "../sources/json.ts";
import { typeOf } from "../sources/texts.ts";
import { addressOf } from "./places.ts";
import type { Draft, DraftAuthor, Entry, Reader } from "./reader.ts";
import { cutList, oneLine, orNull, yearOf } from "./texts.ts";

type Row = Readonly<Record<string, string | undefined>>;

// A row this long has an open quote.
const longestRow = 16 * 1024 * 1024;

/** Scopus, the CSV of its export. */
export const scopus: Reader = {
  source: "scopus",
  unbounded: true,
  async *read(text) {
    const { parse } = await import("csv-parse");
    const parser = parse({
      columns: (names: string[]) => names.map((name) => name.trim()),
      bom: true,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: longestRow,
    });
    const source = Readable.from(text);
    source.on("error", (error) => parser.destroy(error));
    source.pipe(parser);
    let at = { entry: 0, line: 1 };
    try {
      for await (const { record, info } of parser as AsyncIterable<{
        record: Row;
        info: { lines: number };
      }>) {
        const entry: Entry = { entry: at.entry + 1, line: at.line + 1, draft: draftOf(record) };
        at = { entry: at.entry + 1, line: info.lines };
        yield entry;
      }
    } catch (error) {
      if (!isCsvError(error)) throw error;
      yield { entry: at.entry + 1, line: at.line + 1, bad: "Its quotes are not closed." };
    } finally {
      source.destroy();
      parser.destroy();
    }
  },
};

function isCsvError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");
}

function draftOf(row: Row): Draft {
  const eid = orNull(row.EID);
  const pmid = orNull(row["PubMed ID"]);
  const ids: ExternalId[] = [];
  if (eid !== null) ids.push({ engine: "eid", value: eid });
  if (pmid !== null && /^\d+$/.test(pmid)) ids.push({ engine: "pmid", value: pmid });
  const first = orNull(row["Page start"]);
  const last = orNull(row["Page end"]);
  const kind = orNull(row["Document Type"])?.toLowerCase().replaceAll(/\s+/g, "-") ?? null;
  return {
    title: row.Title ?? null,
    doi: orNull(row.DOI),
    sourceId: eid === null ? null : `eid:${eid}`,
    ids,
    year: yearOf(row.Year),
    abstract: withoutPlaceholder(row.Abstract),
    venue: row["Source title"] ?? null,
    language: orNull(row["Language of Original Document"])?.split(";")[0] ?? null,
    publisher: row.Publisher ?? null,
    type: typeOf(kind === "conference-paper" ? "proceedings-article" : kind),
    citedByCount: integer(orNull(row["Cited by"])),
    authors: authorsOf(row),
    keywords: cutList([row["Author Keywords"] ?? "", row["Index Keywords"] ?? ""], /;/),
    otherReferences: referencesOf(row.References ?? ""),
    volume: row.Volume ?? null,
    issue: row.Issue ?? null,
    pages: first !== null && last !== null && first !== last ? `${first}-${last}` : (first ?? last),
    issn: row.ISSN ?? null,
    url: row.Link ?? null,
  };
}

function withoutPlaceholder(abstract: string | undefined): string | null {
  return abstract === undefined || /^\[no abstract available\]$/i.test(abstract.trim()) ? null : abstract;
}

function authorsOf(row: Row): DraftAuthor[] {
  const short = cut(row.Authors);
  const full = cut(row["Author full names"]).map((name) => name.replace(/\s*\(\d+\)$/, ""));
  const names = full.length > 0 ? full : short;
  const placed = cut(row["Authors with affiliations"]);
  return names.map((name, at) => {
    const address = placed.length === names.length ? placed[at] : undefined;
    const institution = address === undefined ? undefined : placeOf(address, [name, short[at] ?? name]);
    return { name, institutions: institution ? [institution] : [] };
  });
}

function cut(text: string | undefined): string[] {
  // Authors are also written `Diaz C., Ruiz A.`.
  const parts = (text ?? "").includes(";") ? (text ?? "").split(";") : [text ?? ""];
  return parts.map(oneLine).filter((part) => part !== "" && part !== "[No author name available]");
}

/** The institution in `Diaz, Carla, Dept X, Uni North, Rosario, Argentina`, of which the name may be short. */
function placeOf(text: string, names: readonly string[]): Institution | undefined {
  const name = names.find((one) => text.toLowerCase().startsWith(one.toLowerCase()));
  const address = addressOf(
    name === undefined ? text.split(",").slice(2).join(",") : text.slice(name.length),
  );
  return address && { id: null, ror: null, ...address };
}

const beginsName = /^\s*\p{Lu}[\p{L}'’.-]*(?:\s+\p{L}[\p{L}'’-]*){0,3},?\s+\p{Lu}\.?/u;
const holdsYear = /\b(?:1[5-9]|20)\d\d\b/;

/** References stand behind one another; one ends where a year was seen and the next part begins a name. */
function referencesOf(text: string): OtherReference[] {
  const references: string[] = [];
  let open = "";
  for (const part of text.split(";")) {
    if (open !== "" && holdsYear.test(open) && beginsName.test(part)) {
      references.push(open);
      open = part;
    } else open = open === "" ? part : `${open};${part}`;
  }
  references.push(open);
  return references
    .map(oneLine)
    .filter(Boolean)
    .map((raw) => ({
      doi: normaliseDoi(/\b10\.\d{4,9}\/[^\s,;]+/.exec(raw)?.[0]),
      id: null,
      raw,
    }));
}
