import type { Database } from "../library/database.ts";
import { provenanceSql } from "../library/provenance.ts";

/** Of so many papers the events are gathered at a time: a list that grows cannot leave the memory. */
const atOnce = 200_000;

/** The provenance of every paper, as the temporary table `snapshot_events(id, events)`. */
export async function gatherEvents(db: Database, papers: number): Promise<void> {
  await db.run("CREATE OR REPLACE TEMP TABLE snapshot_events (id VARCHAR, events VARCHAR)");
  const parts = Math.max(1, Math.ceil(papers / atOnce));
  for (let part = 0; part < parts; part += 1)
    await db.run(
      `INSERT INTO snapshot_events ${provenanceSql(parts === 1 ? "true" : `hash(id) % ${parts} = ${part}`)}`,
    );
}
