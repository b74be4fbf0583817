import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeOf } from "../../../packages/writ/src/research/library/place.ts";
import { alpha } from "../../fakes/openalex/works.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { openResearch } from "../workspace.ts";

test("RL-159: what status has read of a library is told again while its file is the same, and never after", async () => {
  using cache = tempFolder();
  // A clock that is ahead: what was written just now has been left alone for long.
  const { root, ok } = await openResearch({
    works: alpha,
    env: { WRIT_CACHE_DIR: cache.path },
    now: () => Date.now() + 60_000,
  });
  const { file } = placeOf(root);
  const kept = () => {
    const names = readdirSync(join(cache.path, "read")).filter((name) => name.startsWith("library-"));
    expect(names).toHaveLength(1);
    return join(cache.path, "read", names[0] ?? "");
  };
  /** Notes something that the library does not say, to tell a note from the library. */
  const claim = () => {
    const note = JSON.parse(readFileSync(kept(), "utf8")) as { told: { counts: { seeds: number } } };
    note.told.counts.seeds = 99;
    writeFileSync(kept(), JSON.stringify(note));
  };
  const seeded = await ok("seed", { equation: "alpha" });
  const first = await ok("status");
  expect(first).toMatchObject({ seeds: 4, counts_by_status: { accepted: 0 } });
  expect(await ok("status")).toEqual(first);
  claim();
  expect(await ok("status")).toMatchObject({ seeds: 99 });
  // All its runs were told, so that more than were asked for are none.
  expect(await ok("status", { runs: 100 })).toMatchObject({ seeds: 99, runs: [{ verb: "seed" }] });
  expect(await ok("status", { runs: 0 })).toMatchObject({ seeds: 99, runs: [] });

  const { run_id: run } = await ok("curate.accept", { ids: ["W101"] });
  const accepted = await ok("status");
  expect(accepted).toMatchObject({ seeds: 4, counts_by_status: { accepted: 1 } });
  claim();
  await ok("curate.undo", { run });
  expect(await ok("status")).toMatchObject({ seeds: 4, counts_by_status: { accepted: 0 } });
  claim();
  await ok("curate.undo", { run: seeded.run_id });
  expect(await ok("status")).toMatchObject({ seeds: 0, total_papers: 0, loop_state: null });
  claim();
  utimesSync(file, new Date(), new Date());
  expect(await ok("status")).toMatchObject({ seeds: 0 });
  claim();
  writeFileSync(`${file}.wal`, "");
  expect(await ok("status")).toMatchObject({ seeds: 0 });
  writeFileSync(kept(), "{");
  expect(await ok("status")).toMatchObject({ seeds: 0 });
});

test("RL-159: a library that was written a moment ago is read again", async () => {
  using cache = tempFolder();
  const { ok } = await openResearch({ works: alpha, env: { WRIT_CACHE_DIR: cache.path }, now: () => 0 });
  await ok("seed", { equation: "alpha" });
  expect(await ok("status")).toMatchObject({ total_papers: 4 });
  const names = readdirSync(cache.path, { recursive: true });
  expect(names.filter((name) => String(name).includes("library-"))).toEqual([]);
});
