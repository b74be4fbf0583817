import type { Change } from "../../../packages/writ/src/research/library/change.ts";
import { Database } from "../../../packages/writ/src/research/library/database.ts";
import { type Folded, fold, prepareFold } from "../../../packages/writ/src/research/library/fold.ts";
import { createTables, tables } from "../../../packages/writ/src/research/library/schema.ts";
import { testContext } from "../../support/context.ts";

/** A library in memory: changes are folded as in a file, without locks and commits. */
export class MemoryLibrary {
  readonly db: Database;
  readonly ctx = testContext({ root: "/nowhere" });
  #runs = 0;

  private constructor(db: Database) {
    this.db = db;
  }

  static async open(): Promise<MemoryLibrary> {
    const db = await Database.open({ file: ":memory:", threads: 1 });
    await createTables(db, new Date(0));
    return new MemoryLibrary(db);
  }

  async clear(): Promise<void> {
    this.#runs = 0;
    for (const name of Object.keys(tables)) await this.db.run(`DELETE FROM ${name}`);
  }

  /** One run: what `work` tells is folded at its end. */
  async change(
    work: (change: Change) => Promise<unknown>,
    { verb = "seed", params = {} }: { verb?: string; params?: object } = {},
  ): Promise<Folded & { runId: string }> {
    const { db, ctx } = this;
    this.#runs += 1;
    const runId = `rr_${String(this.#runs).padStart(4, "0")}`;
    await db.run(
      "INSERT INTO runs (run_id, seq, verb, params, state, started_at, writ_version) VALUES (?, ?, ?, ?, 'done', ?, 't')",
      [runId, this.#runs, verb, JSON.stringify(params), new Date(0)],
    );
    await prepareFold(db);
    const change: Change = {
      db,
      ctx,
      run: { id: runId, at: new Date(this.#runs * 1000) },
      touch: async (papers) =>
        void (await db.append(
          "temp.touched_papers",
          ["id"],
          [...papers].map((id) => [id]),
        )),
      fold: () => fold(change),
      setCounts: () => {},
      setDetails: () => {},
      transition: () => Promise.reject(new Error("no loop here")),
    };
    await work(change);
    return { ...(await fold(change)), runId };
  }

  /** The active papers, as far as they do not depend on which run came first. */
  papers(): Promise<unknown[]> {
    return this.db.rows("SELECT * EXCLUDE (first_run, last_run) FROM papers WHERE active ORDER BY id");
  }

  close(): void {
    this.db.close();
  }
}
