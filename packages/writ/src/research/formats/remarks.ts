import { createHash } from "node:crypto";
import { fail, type Warning, type WarningCode } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import type { Skipped, Work } from "../model.ts";
import type { Entry, Place, Tell } from "./reader.ts";
import { ownCopy } from "./texts.ts";

/** What was found in a file, once all of it was read. */
export interface ImportReport {
  /** Entries in all, read or not. */
  entries: number;
  /** The first of those that are no records; `skippedTotal` counts them all. */
  skipped: Skipped[];
  skippedTotal: number;
  /** A key for each entry without a title, the same for the same entry of another import. */
  withoutTitle: string[];
  references: { with_id: number; with_doi: number; text_only: number };
  warnings: Warning[];
}

/** A file as a command line names it. */
export function typed(name: string): string {
  return name === "standard input" ? "-" : quote(name);
}

/** Of the entries that are no records, so many are named. */
const namedSkips = 1000;
const namedPlaces = 5;

/** What is noted while a file is read. */
export interface Remarks {
  /** True when the file does not look like the format it is read as. */
  doubtful: boolean;
  /** The format that a doubtful file looks like. */
  looksLike?: string;
  tell: Tell;
  /** A line that is no UTF-8. */
  oddLine(): void;
  where(place: Place): string;
  /** Counts an entry; gives its work with a key that no other entry of the file has, or undefined. */
  take(entry: Entry, work: Work | Skipped | undefined): Work | undefined;
  /** All entries were taken. Throws E_PARSE when most of them could not be read. */
  end(): void;
  report(): ImportReport;
}

export function createRemarks(name: string): Remarks {
  const counts = { entries: 0, bad: 0, skipped: 0, oddLines: 0 };
  const skipped: Skipped[] = [];
  const withoutTitle: string[] = [];
  const references = { with_id: 0, with_doi: 0, text_only: 0 };
  const told = new Map<WarningCode, { count: number; places: string[] }>();
  const keys = new Map<string, number>();

  const where = ({ line }: Place) => `${name}:${line}`;
  const tell: Tell = (code, place) => {
    const known = told.get(code) ?? { count: 0, places: [] };
    known.count += 1;
    if (known.places.length < namedPlaces) known.places.push(place);
    told.set(code, known);
  };
  const skip = (entry: Entry, reason: string) => {
    counts.skipped += 1;
    const { entry: number, line } = entry;
    const place = entry.key === undefined ? where(entry) : `${entry.key} (${where(entry)})`;
    if (skipped.length < namedSkips) skipped.push({ where: place, entry: number, line, reason });
  };
  const remarks: Remarks = {
    doubtful: false,
    tell,
    where,
    oddLine: () => (counts.oddLines += 1),
    take(entry, work) {
      counts.entries += 1;
      if ("bad" in entry) {
        counts.bad += 1;
        skip(entry, entry.bad);
        return undefined;
      }
      if (work === undefined || "reason" in work) {
        skip(entry, work?.reason ?? "It has no title.");
        withoutTitle.push(work?.where ?? hashOf("draft" in entry ? entry.draft : entry.line));
        return undefined;
      }
      countReferences(work, references);
      return work.source === "openalex" ? work : unique(work, keys);
    },
    end() {
      const nothing = counts.entries === 0 && remarks.doubtful;
      if (nothing || counts.bad * 2 > counts.entries) throw mostlyBad(remarks, { name, counts, skipped });
    },
    report: () => ({
      entries: counts.entries,
      skipped,
      skippedTotal: counts.skipped,
      withoutTitle,
      references,
      warnings: warningsOf(name, told, counts),
    }),
  };
  return remarks;
}

function countReferences(work: Work, counts: ImportReport["references"]): void {
  counts.with_id += work.references.length;
  for (const { doi } of work.otherReferences) counts[doi === null ? "text_only" : "with_doi"] += 1;
}

/** Entries that say the same stay as many as they are. */
function unique(work: Work, keys: Map<string, number>): Work {
  const times = (keys.get(work.sourceKey) ?? 0) + 1;
  keys.set(times === 1 ? ownCopy(work.sourceKey) : work.sourceKey, times);
  return times === 1 ? work : { ...work, sourceKey: `${work.sourceKey}#${times}` };
}

function hashOf(said: unknown): string {
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 32);
}

const sentences: Readonly<Partial<Record<WarningCode, (count: number) => string>>> = {
  W_DOI_INVALID: (count) => `${count} of its entries have something else where the DOI should be`,
  W_DUPLICATE_KEY: (count) => `${count} of its entries have the key of an earlier one; all were kept`,
  W_CUT: (count) => `${count} of its texts or lists were too long and have been cut`,
};

function warningsOf(
  name: string,
  told: ReadonlyMap<WarningCode, { count: number; places: string[] }>,
  counts: { skipped: number; oddLines: number },
): Warning[] {
  const warnings: Warning[] = [...told].map(([code, { count, places }]) => ({
    code,
    message: `${name}: ${sentences[code]?.(count) ?? count}: ${places.join(", ")}${count > places.length ? ", …" : "."}`,
  }));
  if (counts.oddLines > 0) {
    warnings.push({
      code: "W_ENCODING",
      message: `${name}: ${counts.oddLines} of its lines are no UTF-8 and were read as Windows-1252.`,
    });
  }
  if (counts.skipped > 0) {
    warnings.push({
      code: "W_RECORD_SKIPPED",
      message: `${name}: ${counts.skipped} of its entries are no records and were left out; see skipped.`,
    });
  }
  return warnings;
}

function mostlyBad(
  { looksLike }: Remarks,
  of: { name: string; counts: { entries: number; bad: number }; skipped: readonly Skipped[] },
) {
  const { name, counts, skipped } = of;
  const first = skipped[0];
  return fail("E_PARSE", {
    message: `${name} cannot be read.`,
    cause: first
      ? `${counts.bad} of its ${counts.entries} entries are broken; the first in line ${first.line}: ${first.reason}`
      : "It holds no entry of the format it was read as.",
    remediation:
      looksLike === undefined
        ? "Let the program that it comes from write it anew, or correct the entries that skipped names."
        : `It looks like ${looksLike}: writ research seed --from-file ${typed(name)}`,
    details: { line: first?.line, entries: counts.entries, skipped: skipped.slice(0, 20) },
  });
}
