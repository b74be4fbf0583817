import type { Answered, Context } from "../../contract/index.ts";
import { type ImportReading, readImport } from "../formats/read.ts";
import { type Change, commitLibrary } from "../library/change.ts";
import { ingest } from "../library/ingest.ts";
import { rehearseLibrary } from "../library/rehearse.ts";
import { standingOf } from "../library/standing.ts";
import { readLibrary } from "../library/use.ts";
import type { Work } from "../model.ts";
import { createPhases } from "../sources/progress.ts";
import { afterSeeding } from "../status/readiness.ts";
import { specSeed } from "./fix.ts";
import type { Origin, SeedInput } from "./input.ts";
import type { SeedData } from "./output.ts";
import { resolveImported } from "./resolve.ts";
import { standingData, summary } from "./settle.ts";

type FileOrigin = Extract<Origin, { kind: "file" }>;

/** Imports a bibliographic file, in one transaction; with `resolve` its DOIs are looked up afterwards. */
export async function seedFromFile(
  ctx: Context,
  given: SeedInput,
  origin: FileOrigin,
): Promise<SeedData & Answered> {
  const opened = await ctx.open(origin.path);
  const reading = await readImport(opened, origin.format === undefined ? {} : { format: origin.format });
  const works = await begun(reading.works);
  if (works === undefined) return nothingIn(ctx, reading, { name: opened.name, wait: given.wait });
  const phases = createPhases(ctx);
  const params = { from_file: opened.name, format: reading.format };
  const options = { verb: "seed", params, source: reading.source, wait: given.wait, creates: true };
  const take = async (change: Change) => {
    const { state } = await standingOf(change.db);
    phases.tell("map");
    const fetchedAt = new Date(ctx.clock.now());
    const { records } = await ingest(change, works, { via: "import", seed: true, hop: 0, fetchedAt });
    const { entries, skipped, skippedTotal, references, withoutTitle } = told(ctx, reading);
    const done = await summary(change, { reseeded: state !== null, skipped, skippedTotal });
    const same = await sameWork(change, { records, added: done.papers_new });
    change.setCounts({ entries, ...references, without_title: withoutTitle });
    phases.tell("commit");
    return {
      run_id: change.run.id,
      source: reading.source,
      format: reading.format,
      entries,
      ...done,
      same_work: same,
      references,
      ...(!ctx.dryRun && { next: await afterSeeding(change.db) }),
    };
  };
  if (ctx.dryRun) {
    const data = await rehearseLibrary(ctx, options, take);
    return { ...data, run_id: null, changed: true, ...(given.resolve && { resolve: null }) };
  }
  const data = await commitLibrary(ctx, options, take);
  phases.end();
  if (!given.resolve) return data;
  const resolved = await resolveImported(ctx, given, data.run_id);
  return { ...data, ...resolved, next: await readLibrary(ctx, afterSeeding, { wait: given.wait }) };
}

/** Of the entries that are records, those that made no paper: together with the new papers these are all of them. */
async function sameWork(
  { db, run }: Change,
  { records, added }: { records: number; added: number },
): Promise<NonNullable<SeedData["same_work"]>> {
  const row = await db.row<{ papers: number }>(
    `SELECT count(DISTINCT p.paper_id) AS papers FROM sightings s JOIN record_papers p USING (source, source_key)
     WHERE s.run_id = ?`,
    [run.id],
  );
  const papers = Math.max(row?.papers ?? 0, added);
  return { in_file: Math.max(records - papers, 0), in_library: papers - added };
}

/** The same works, once the first of them has been read; undefined where there is none. */
async function begun(works: AsyncIterable<Work>): Promise<AsyncIterable<Work> | undefined> {
  const items = works[Symbol.asyncIterator]();
  const first = await items.next();
  if (first.done) return undefined;
  return (async function* () {
    try {
      yield first.value;
      for (let next = await items.next(); !next.done; next = await items.next()) yield next.value;
    } finally {
      await items.return?.();
    }
  })();
}

/** What was found in the file, its warnings told. */
function told(ctx: Context, reading: ImportReading) {
  const report = reading.report();
  for (const warning of report.warnings) ctx.warn(warning);
  return report;
}

/** A file without any work is no seeding: the library, its loop and its round stay. */
async function nothingIn(
  ctx: Context,
  reading: ImportReading,
  { name, wait }: { name: string; wait: number },
): Promise<SeedData & Answered> {
  const { entries, skipped, references } = told(ctx, reading);
  return {
    run_id: null,
    source: reading.source,
    format: reading.format,
    entries,
    papers_new: 0,
    papers_updated: 0,
    papers_added: 0,
    ...(await standingData(ctx, wait)),
    reseeded: false,
    skipped: skipped.slice(0, 200),
    possible_duplicates: 0,
    references,
    changed: false,
    reason:
      entries === 0
        ? `${name} has no entries.`
        : `${entries === 1 ? "The one entry" : `None of the ${entries} entries`} of ${name} ${entries === 1 ? "has no title" : "has a title"}.`,
    ...specSeed(ctx),
  };
}
