import type { Context } from "../../contract/index.ts";
import { readImport } from "../formats/read.ts";
import { commitLibrary } from "../library/change.ts";
import { ingest } from "../library/ingest.ts";
import { standingOf } from "../library/standing.ts";
import { createPhases } from "../sources/progress.ts";
import type { Origin, SeedInput } from "./input.ts";
import type { SeedData } from "./output.ts";
import { resolveImported } from "./resolve.ts";
import { summary } from "./settle.ts";

type FileOrigin = Extract<Origin, { kind: "file" }>;

/** Imports a bibliographic file, in one transaction; with `resolve` its DOIs are looked up afterwards. */
export async function seedFromFile(
  ctx: Context,
  given: SeedInput,
  origin: FileOrigin,
): Promise<SeedData & { reason?: string }> {
  const opened = await ctx.open(origin.path);
  const reading = await readImport(opened, origin.format === undefined ? {} : { format: origin.format });
  if (ctx.dryRun) return rehearse(ctx, reading, given);
  const phases = createPhases(ctx);
  const params = { from_file: opened.name, format: reading.format };
  const options = { verb: "seed", params, source: reading.source, wait: given.wait, creates: true };
  const data = await commitLibrary(ctx, options, async (change) => {
    const { state } = await standingOf(change.db);
    phases.tell("map");
    const fetchedAt = new Date(ctx.clock.now());
    await ingest(change, reading.works, { via: "import", seed: true, hop: 0, fetchedAt });
    const { entries, skipped, skippedTotal, references, warnings, withoutTitle } = reading.report();
    for (const warning of warnings) ctx.warn(warning);
    const done = await summary(change, { reseeded: state !== null, skipped, skippedTotal });
    change.setCounts({ entries, ...references, without_title: withoutTitle });
    phases.tell("commit");
    return {
      run_id: change.run.id,
      source: reading.source,
      format: reading.format,
      entries,
      ...done,
      references,
      ...(skippedTotal === entries && { reason: `0 of ${entries} entries of the file are records.` }),
    };
  });
  phases.end();
  return given.resolve ? { ...data, ...(await resolveImported(ctx, given, data.run_id)) } : data;
}

/** What the file holds; what the library would make of it is not told. */
async function rehearse(
  ctx: Context,
  reading: Awaited<ReturnType<typeof readImport>>,
  given: SeedInput,
): Promise<SeedData> {
  for await (const _ of reading.works) ctx.signal.throwIfAborted();
  const { entries, skipped, references, warnings } = reading.report();
  for (const warning of warnings) ctx.warn(warning);
  return {
    run_id: null,
    source: reading.source,
    format: reading.format,
    entries,
    papers_new: null,
    papers_updated: null,
    papers_added: null,
    total_papers: null,
    possible_duplicates: null,
    skipped: skipped.slice(0, 200),
    references,
    ...(given.resolve && { resolve: null }),
  };
}
