/**
 * A process at work on a library: `write N` adds a work and commits, N times; `read N` counts papers, N times; `hang`
 * changes everything, says so, and waits inside its transaction to be killed; `die` is killed right after its commit.
 */
import { Database } from "../../../../packages/writ/src/research/library/database.ts";
import { count as countOf } from "../../../../packages/writ/src/research/library/fold/reach.ts";
import { readLibrary } from "../../../../packages/writ/src/research/library/use.ts";
import { alphaSeeds, libraryIn, workOf } from "../works.ts";

const [root = "", what = "", times = "1"] = process.argv.slice(2);
const { ctx, add, change } = libraryIn(root);

if (what === "hang")
  await change("seed", async (one) => {
    const { ingest } = await import("../../../../packages/writ/src/research/library/ingest.ts");
    await ingest(one, alphaSeeds, { via: "search", seed: true, hop: 0, fetchedAt: new Date(0) });
    await one.fold();
    process.stdout.write("inside\n");
    await new Promise((wake) => setTimeout(wake, 600_000));
    return {};
  });
if (what === "die") {
  Database.prototype.close = () => process.kill(process.pid, "SIGKILL");
  await add(alphaSeeds);
}
for (let n = 0; n < Number(times); n += 1) {
  if (what === "write")
    await add([workOf({ title: `Work ${process.pid} ${n}`, sourceId: `W${process.pid}${n}` })]);
  if (what === "read") await readLibrary(ctx(), (db) => countOf(db, "papers"));
}
