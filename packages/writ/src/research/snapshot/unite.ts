import { join } from "node:path";
import type { Change } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { type Checked, unreadable } from "./check.ts";
import { snapshotTables } from "./tables.ts";

/** What of a snapshot is not taken back in, and the command that has it back; empty where nothing is. */
export interface StillUndone {
  reason?: string;
  fix_command?: string;
}

/** Adds the rows of a snapshot that the library does not have, and touches all that follows from them. */
export async function uniteTables(
  change: Change,
  { folder, manifest, name: shown }: Checked,
): Promise<StillUndone> {
  const { db, ctx } = change;
  const there = new Set(manifest.files.map(({ path }) => path));
  const fileOf = (name: string) => `'${join(folder, "tables", `${name}.parquet`).replaceAll("'", "''")}'`;
  const read = Object.entries(snapshotTables).filter(
    ([name, { same }]) => same !== undefined && there.has(`tables/${name}.parquet`),
  );
  let undone: StillUndone = {};
  for (const [at, [name, { same = [], counted }]] of read.entries()) {
    ctx.signal.throwIfAborted();
    ctx.emit({ phase: "map", item: name, done: at, total: read.length });
    try {
      if (name === "runs") undone = await takeRevocations(change, fileOf(name));
      await addRows(change, { name, file: fileOf(name), same, counted });
    } catch (error) {
      throw unreadable(error, { name: shown, path: `tables/${name}.parquet` });
    }
  }
  await touchAll(db, fileOf);
  return undone;
}

/** A run that both have: the newer word on whether it is undone counts, and what stays undone is told. */
async function takeRevocations({ db }: Change, file: string): Promise<StillUndone> {
  await db.run(
    `UPDATE runs SET revoked_by = s.revoked_by, revoked_at = s.revoked_at FROM read_parquet(${file}) s
     WHERE runs.run_id = s.run_id AND s.revoked_at > coalesce(runs.revoked_at, epoch_ms(0))`,
  );
  await db.run(
    `INSERT INTO temp.touched_records SELECT DISTINCT g.source, g.source_key FROM sightings g
     JOIN runs r USING (run_id) JOIN read_parquet(${file}) s ON s.run_id = r.run_id WHERE r.revoked_at IS NOT NULL`,
  );
  const undone = await db.row<{ runs: number; by: string }>(
    `SELECT count(*) AS runs, max(runs.revoked_by) AS "by" FROM runs JOIN read_parquet(${file}) s USING (run_id)
     WHERE runs.revoked_by IS NOT NULL AND s.revoked_by IS NULL`,
  );
  if (!undone || undone.runs === 0) return {};
  const words = undone.runs === 1 ? "A run of the snapshot was" : `${undone.runs} runs of the snapshot were`;
  return {
    reason: `${words} undone here since it was made, and what came of that stays out`,
    fix_command: `writ research curate undo --run ${undone.by}`,
  };
}

interface Adding {
  name: string;
  file: string;
  same: readonly string[];
  counted: "seq" | undefined;
}

async function addRows(change: Change, { name, file, same, counted }: Adding): Promise<void> {
  const { db, run } = change;
  const both = same.map((column) => `t."${column}" IS NOT DISTINCT FROM s."${column}"`).join(" AND ");
  const isOwn = counted !== undefined && name === "runs";
  const shift = counted === undefined ? 0 : await lastOf(db, name, isOwn ? run.id : undefined);
  const columns = counted === undefined ? "s.*" : `s.* REPLACE (s.${counted} + ${shift} AS ${counted})`;
  await db.run(
    `INSERT INTO ${name} BY NAME SELECT ${columns} FROM read_parquet(${file}) s
     WHERE NOT EXISTS (SELECT 1 FROM ${name} t WHERE ${both})`,
  );
  // The restoring itself comes after all that it brings.
  if (isOwn) await db.run("UPDATE runs SET seq = (SELECT max(seq) FROM runs) + 1 WHERE run_id = ?", [run.id]);
}

async function lastOf(db: Database, name: string, without: string | undefined): Promise<number> {
  const where = without === undefined ? "" : "WHERE run_id <> $1";
  const row = await db.row<{ seq: number | null }>(
    `SELECT max(seq) AS seq FROM ${name} ${where}`,
    without === undefined ? [] : [without],
  );
  return row?.seq ?? 0;
}

async function touchAll(db: Database, fileOf: (name: string) => string): Promise<void> {
  await db.run(`
    INSERT INTO temp.touched_records SELECT DISTINCT source, source_key FROM read_parquet(${fileOf("sightings")});
    INSERT INTO temp.touched_papers
      SELECT made_on FROM read_parquet(${fileOf("decisions")})
      UNION SELECT unnest([keep, "drop"]) FROM read_parquet(${fileOf("merges")}) WHERE kind = 'paper'
      UNION SELECT e.paper_id FROM read_parquet(${fileOf("citers")}) c
        JOIN external_ids e ON e.engine = 'openalex' AND e.value = c.cited
      UNION SELECT p.id FROM (SELECT id, unnest(references_id) AS ref_id FROM papers WHERE active) p
        JOIN read_parquet(${fileOf("ref_dois")}) USING (ref_id)`);
}
