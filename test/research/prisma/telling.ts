import type { Change } from "../../../packages/writ/src/research/library/change.ts";
import { ingest } from "../../../packages/writ/src/research/library/ingest.ts";
import { decide, mergePapers } from "../../../packages/writ/src/research/library/tell.ts";
import { findUndoable, undoRun } from "../../../packages/writ/src/research/library/undo.ts";
import type { Decision, Via, Work } from "../../../packages/writ/src/research/model.ts";
import type { MemoryLibrary } from "../library/memory.ts";
import { at, workOf } from "../library/works.ts";

/** A work as OpenAlex tells it. */
export const paper = (n: number, given: Partial<Work> = {}): Work =>
  workOf({ sourceId: `W${n}`, doi: `10.7777/p${n}`, title: `Paper ${n}`, year: 2000 + n, ...given });

/** The same work as a file tells it. */
export const entry = (n: number, given: Partial<Work> = {}): Work =>
  workOf({ source: "ris", sourceKey: `r${n}`, doi: `10.7777/p${n}`, title: `Paper ${n}`, ...given });

/** What the verbs tell a library, each as a run of its own; answers the run's id. */
export function tellingOf(library: MemoryLibrary) {
  let minute = 0;
  const run = async (verb: string, work: (change: Change) => Promise<unknown>, params: object = {}) =>
    (await library.change(work, { verb, params })).runId;
  return {
    /** Works that are found, and entries without a title. */
    find: (via: Via, works: readonly Work[], untitled: readonly string[] = []) => {
      const seed = via === "search" || via === "import";
      minute += 1;
      return run(seed ? "seed" : "chain", async (change) => {
        await ingest(change, works, { via, seed, hop: seed ? 0 : 1, fetchedAt: at(minute) });
        await change.db.run("UPDATE runs SET source = ?, counts = ? WHERE run_id = ?", [
          via === "import" ? "ris" : "openalex",
          JSON.stringify({ without_title: untitled }),
          change.run.id,
        ]);
      });
    },
    /** What a person decides. */
    say: (decision: Decision, papers: readonly string[], reason?: string) =>
      run(decision === "accepted" ? "curate.accept" : "curate.reject", (change) =>
        decide(
          change,
          papers.map((id) => ({
            paper: id,
            decision,
            kind: "manual",
            ...(reason !== undefined && { reason }),
          })),
        ),
      ),
    filter: (reason: string, papers: readonly string[]) =>
      run("curate.filter", (change) =>
        decide(
          change,
          papers.map((id) => ({ paper: id, decision: "rejected", kind: "filter", reason })),
        ),
      ),
    merge: (keep: string, drop: string) =>
      run("curate.merge", (change) =>
        mergePapers(change, { id: `mrg_${keep}`, keep, drop, score: null, evidence: {} }),
      ),
    undo: (id: string) =>
      run("curate.undo", async (change) => undoRun(change, await findUndoable(change.db, id)), { run: id }),
    /** The ids of the active papers, in order. */
    ids: async () => {
      const rows = await library.db.rows<{ id: string }>("SELECT id FROM papers WHERE active ORDER BY id");
      return rows.map(({ id }) => id);
    },
  };
}
