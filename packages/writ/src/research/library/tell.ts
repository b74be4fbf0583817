import type { Decision } from "../model.ts";
import type { Change } from "./changing.ts";
import type { Value } from "./database.ts";
import { nextSeq } from "./runs.ts";

/** One decision, or only a note, on a paper. */
export interface NewDecision {
  /** Id of the paper as it is now. */
  paper: string;
  decision?: Decision | null;
  kind: "manual" | "filter" | "import";
  /** Default: the caller. */
  by?: string;
  reason?: string;
  note?: string;
}

/**
 * Writes decisions, in order; later ones win over earlier ones. All of one change have one time, later than that of
 * every decision before it, whatever the clock says.
 */
export async function decide(change: Change, decisions: Iterable<NewDecision>): Promise<void> {
  const { db, ctx, run } = change;
  const last = await db.row<{ at: Date | null }>(
    "SELECT max(decided_at) AS at FROM decisions WHERE run_id <> ?",
    [run.id],
  );
  const at = new Date(Math.max(run.at.getTime(), last?.at ? last.at.getTime() + 1 : 0));
  let seq = await nextSeq(db, "decisions");
  const papers: string[] = [];
  const rows: Value[][] = [];
  for (const one of decisions) {
    papers.push(one.paper);
    rows.push([
      seq,
      one.paper,
      one.paper,
      one.decision ?? null,
      one.by ?? ctx.caller.actor,
      one.kind,
      one.reason ?? null,
      one.note ?? null,
      run.id,
      at,
    ]);
    seq += 1;
  }
  await db.append(
    "decisions",
    ["seq", "paper_id", "made_on", "decision", "by", "kind", "reason", "note", "run_id", "decided_at"],
    rows,
  );
  await change.touch(papers);
}

/** Notes that `citer` cites `cited`; both are OpenAlex ids. What is known already is not noted again. */
export async function addCiters(
  change: Change,
  pairs: Iterable<{ cited: string; citer: string }>,
): Promise<void> {
  const { db, run } = change;
  await stage(change, "new_citers", {
    columns: ["cited", "citer"],
    rows: rowsOf(pairs, (one) => [one.cited, one.citer]),
  });
  await db.run(
    `INSERT INTO citers SELECT DISTINCT cited, citer, ? FROM temp.new_citers n WHERE NOT EXISTS (
       SELECT 1 FROM citers c JOIN runs r USING (run_id)
       WHERE c.cited = n.cited AND c.citer = n.citer AND r.revoked_by IS NULL)`,
    [run.id],
  );
  await db.run(
    `INSERT INTO temp.touched_papers SELECT DISTINCT e.paper_id FROM external_ids e
     JOIN temp.new_citers n ON e.engine = 'openalex' AND e.value = n.cited; DROP TABLE temp.new_citers`,
  );
}

/** Keeps the DOIs that references were looked up to have; null is a miss. */
export async function addReferenceDois(
  change: Change,
  found: Iterable<{ ref: string; doi: string | null }>,
): Promise<void> {
  const { db, run } = change;
  await stage(change, "new_dois", {
    columns: ["ref", "doi"],
    rows: rowsOf(found, (one) => [one.ref, one.doi]),
  });
  await db.run("INSERT INTO ref_dois SELECT ref, any_value(doi), ?, ? FROM temp.new_dois GROUP BY ref", [
    run.at,
    run.id,
  ]);
  await db.run(
    `INSERT INTO temp.touched_papers SELECT DISTINCT id FROM (
       SELECT id, unnest(references_id) AS ref FROM papers WHERE active) p
     JOIN temp.new_dois n USING (ref); DROP TABLE temp.new_dois`,
  );
}

/** Confirms that two papers are one: the records of `drop` join those of `keep`. */
export async function mergePapers(
  change: Change,
  merge: { id: string; keep: string; drop: string; score: number | null; evidence: unknown },
): Promise<void> {
  await change.db.run("INSERT INTO merges VALUES (?, 'paper', ?, ?, ?, ?, ?)", [
    merge.id,
    merge.keep,
    merge.drop,
    merge.score,
    JSON.stringify(merge.evidence),
    change.run.id,
  ]);
  await change.touch([merge.keep, merge.drop]);
}

async function stage(
  { db }: Change,
  name: string,
  { columns, rows }: { columns: readonly string[]; rows: Iterable<readonly Value[]> },
): Promise<void> {
  await db.run(`CREATE OR REPLACE TEMP TABLE ${name} (${columns.map((one) => `${one} VARCHAR`).join(", ")})`);
  await db.append(`temp.${name}`, columns, rows);
}

function* rowsOf<T>(items: Iterable<T>, row: (item: T) => Value[]): Generator<Value[]> {
  for (const item of items) yield row(item);
}
