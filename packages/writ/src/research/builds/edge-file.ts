import { parquetOf, quoted } from "../export/network-file.ts";
import type { Database } from "../library/database.ts";
import type { NetworkSpec } from "../networks/spec.ts";

/** Everything written in one order, and packed alike on every machine. */
export const parquet = "(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)";

/** Edges above which they are not sorted again: they lie sorted, and sorting them with their ids costs gigabytes. */
const sortedAnew = 2_500_000;

/** Writes the edges, sorted by source, then target. */
export async function writeEdges(
  db: Database,
  file: string,
  { spec, edges, most = sortedAnew }: { spec: NetworkSpec; edges: number; most?: number },
): Promise<void> {
  const columns = [
    "a.id AS source",
    "b.id AS target",
    "weight",
    ...(spec.counting === "fractional" ? ["CAST(frac AS DOUBLE) / 1e12 AS frac_weight"] : []),
    ...(spec.normalisation === "none" ? [] : ["norm AS norm_weight"]),
  ];
  const rows = `SELECT ${columns.join(", ")} FROM net_edges JOIN net_nodes a ON a.n = s JOIN net_nodes b ON b.n = t`;
  if (edges > most && (await writtenAsTheyLie(db, file, rows))) return;
  await db.run(`COPY (${rows} ORDER BY s, t) TO ${quoted(file)} ${parquet}`);
}

/** Whether the file is sorted; DuckDB keeps the order of a joined table when told to, but does not promise it. */
async function writtenAsTheyLie(db: Database, file: string, rows: string): Promise<boolean> {
  await db.inOrder(`COPY (${rows}) TO ${quoted(file)} ${parquet}`);
  const found = await db.row<{ misplaced: number }>(`
    SELECT count(*) AS misplaced FROM (
      SELECT source, target, lag(source) OVER () AS source_before, lag(target) OVER () AS target_before
      FROM ${parquetOf(file)})
    WHERE source_before > source OR (source_before = source AND target_before >= target)`);
  return found?.misplaced === 0;
}
