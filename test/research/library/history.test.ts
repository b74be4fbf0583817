import { expect, test } from "vitest";
import { corpusHash } from "../../../packages/writ/src/research/library/hash.ts";
import { ingest } from "../../../packages/writ/src/research/library/ingest.ts";
import { addCiters, addReferenceDois, decide } from "../../../packages/writ/src/research/library/tell.ts";
import { findUndoable, undoRun } from "../../../packages/writ/src/research/library/undo.ts";
import { readLibrary } from "../../../packages/writ/src/research/library/use.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { alphaCitations, alphaCiters, alphaSeeds, at, libraryIn } from "./works.ts";

const seeded = "9d1d3044c97e893484382d8409e535d7f3731ea264e72df738e369cf5b439efb";
const chained = "756f670d51adef9c8bf0640f7e366c703ab6b9584c26f51279d89a9459591927";

test("RL-35, RL-109: seeding and chaining give the published hashes, and undoing goes back and forth", async () => {
  using temp = tempFolder();
  const { ctx, change, add } = libraryIn(temp.path);
  const hash = () => readLibrary(ctx(), (db) => corpusHash(db));
  expect(await add(alphaSeeds)).toMatchObject({ added: 4 });
  expect(await hash()).toBe(seeded);
  const { runId } = await change("chain", async (one) => {
    await ingest(one, alphaCiters, { via: "citer", seed: false, hop: 1, fetchedAt: at(1) });
    await addCiters(one, alphaCitations);
    await addReferenceDois(one, [
      ...["W901", "W904", "W905", "W999"].map((ref) => ({ ref, doi: null })),
      { ref: "W902", doi: "10.5555/r2" },
      { ref: "W903", doi: "10.5555/r3" },
      { ref: "W101", doi: "10.5555/a1" },
      { ref: "W102", doi: "10.5555/a2" },
      { ref: "W103", doi: null },
      { ref: "W104", doi: "10.5555/a4" },
    ]);
    return { ...(await one.fold()) };
  });
  expect(await hash()).toBe(chained);
  const undo = (run: string) =>
    change(
      "curate.undo",
      async (one) => {
        await undoRun(one, await findUndoable(one.db, run));
        return { ...(await one.fold()) };
      },
      { run },
    );
  const undone = await undo(runId);
  expect(undone).toMatchObject({ removed: 4 });
  expect(await hash()).toBe(seeded);
  await undo(undone.runId);
  expect(await hash()).toBe(chained);
});

test("RL-101: a decision changes the hash and taking it back restores it", async () => {
  using temp = tempFolder();
  const { ctx, change, add } = libraryIn(temp.path);
  await add(alphaSeeds);
  const { runId } = await change("curate.accept", async (one) => {
    await decide(one, [{ paper: "doi:be5ab312c7aebbec", decision: "accepted", kind: "manual" }]);
    return {};
  });
  const statuses = () =>
    readLibrary(ctx(), (db) =>
      db.rows("SELECT curation_status AS s, count(*) AS n FROM papers GROUP BY s ORDER BY s"),
    );
  expect(await statuses()).toEqual([
    { s: "accepted", n: 1 },
    { s: "candidate", n: 3 },
  ]);
  await change(
    "curate.undo",
    async (one) => {
      await undoRun(one, await findUndoable(one.db, runId));
      return {};
    },
    { run: runId },
  );
  expect(await statuses()).toEqual([{ s: "candidate", n: 4 }]);
  expect(await readLibrary(ctx(), (db) => corpusHash(db))).toBe(seeded);
});

test("RL-36, RL-37: order, notes, a thesaurus and merged names leave the number alone; what a scope holds decides its own", async () => {
  using temp = tempFolder();
  const { ctx, change, add } = libraryIn(temp.path);
  const hash = (where?: string) => readLibrary(ctx(), (db) => corpusHash(db, where));
  await add(alphaSeeds.toReversed());
  expect(await hash()).toBe(seeded);
  await change("curate.apply", async (one) => {
    await decide(one, [{ paper: "doi:be5ab312c7aebbec", note: "read again", kind: "import" }]);
    await one.db.run(
      "INSERT INTO entity_map VALUES ('keyword', 'graph theory', 'graphs', $1), ('author', 'a1', 'a2', $1)",
      [one.run.id],
    );
    return {};
  });
  expect(await hash()).toBe(seeded);
  const recent = alphaSeeds.filter(({ year }) => (year ?? 0) >= 2020);
  expect(recent).toHaveLength(2);
  using other = tempFolder();
  const some = libraryIn(other.path);
  await some.add(recent);
  expect(await hash("year >= 2020")).toBe(await readLibrary(some.ctx(), (db) => corpusHash(db)));
  expect(await hash("year >= 2020")).not.toBe(seeded);
  await change("curate.accept", async (one) => {
    await decide(one, [{ paper: "doi:be5ab312c7aebbec", decision: "accepted", kind: "manual" }]);
    return {};
  });
  expect(await hash()).not.toBe(seeded);
});
