import { join } from "node:path";
import { readOrNull, writeAtomic } from "../../platform/index.ts";
import type { LoopState } from "../model.ts";
import type { Database } from "./database.ts";
import { placeOf } from "./place.ts";
import { standingOf } from "./standing.ts";

/** What `writ status` says of a library. */
export interface Summary {
  loop_state: LoopState | null;
  round: number;
  papers: number;
  accepted: number;
}

const fileOf = (root: string) => join(placeOf(root).folder, "summary.json");

/**
 * Notes what the library holds beside it, so that `writ status` need not load a database. The change is made by
 * then: a note that cannot be written is left out, and the next change writes it.
 */
export async function noteSummary(root: string, db: Database): Promise<void> {
  try {
    const { state, round } = await standingOf(db);
    const row = await db.row<{ papers: number; accepted: number }>(
      "SELECT count(*) AS papers, count(*) FILTER (curation_status = 'accepted') AS accepted FROM papers WHERE active",
    );
    const summary: Summary = {
      loop_state: state,
      round,
      papers: row?.papers ?? 0,
      accepted: row?.accepted ?? 0,
    };
    await writeAtomic(fileOf(root), `${JSON.stringify(summary)}\n`, { sync: false });
  } catch {
    // See above.
  }
}

/** The note of the last change; undefined before the first. */
export async function readSummary(root: string): Promise<Summary | undefined> {
  try {
    const { loop_state, round, papers, accepted } = JSON.parse(
      String(await readOrNull(fileOf(root))),
    ) as Partial<Summary>;
    if (typeof round !== "number" || typeof papers !== "number" || typeof accepted !== "number")
      return undefined;
    return { loop_state: loop_state ?? null, round, papers, accepted };
  } catch {
    return undefined;
  }
}
