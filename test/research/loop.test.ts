import { expect, test } from "vitest";
import { Database } from "../../packages/writ/src/research/library/database.ts";
import { corpusHash } from "../../packages/writ/src/research/library/hash.ts";
import { placeOf } from "../../packages/writ/src/research/library/place.ts";
import { alpha, bulk } from "../fakes/openalex/works.ts";
import { openResearch, type Research, seededOnce } from "./workspace.ts";

const seeded = seededOnce(alpha, "alpha");

// The corpora of the seeded and of the chained library.
const first = "9d1d3044c97e893484382d8409e535d7f3731ea264e72df738e369cf5b439efb";
const second = "756f670d51adef9c8bf0640f7e366c703ab6b9584c26f51279d89a9459591927";

async function hashOf({ root }: Research): Promise<string> {
  const db = await Database.open({ file: placeOf(root).file, readOnly: true });
  try {
    return await corpusHash(db);
  } finally {
    db.close();
  }
}

test("RL-93, RL-109: a chain that is undone leaves the corpus as it was, and coming back costs no request", async () => {
  const research = await seeded();
  expect(await hashOf(research)).toBe(first);
  const { run_id: run } = await research.ok("chain", { direction: "forward" });
  expect(await hashOf(research)).toBe(second);
  research.asked();
  const { run_id: undo } = await research.ok("curate.undo", { run });
  expect(await hashOf(research)).toBe(first);
  await research.ok("curate.undo", { run: undo });
  expect(await hashOf(research)).toBe(second);
  await research.ok("curate.undo", { run });
  await research.ok("chain", { direction: "forward" });
  expect(await hashOf(research)).toBe(second);
  expect(research.asked()).toBe(0);
});

test("RL-87: rejected papers point at nothing", async () => {
  const research = await seeded();
  await research.ok("curate.reject", { ids: ["W102"] });
  const data = await research.ok("chain", { direction: "backward", resolve_refs: false });
  expect(
    (data.ranking_preview as { id: string; scent: number }[]).map(({ id, scent }) => `${id}:${scent}`),
  ).toEqual(["W903:2", "W901:1", "W902:1", "W905:1", "W999:1"]);
});

test("RL-86: a decision stands when the paper is found again", async () => {
  const research = await seeded();
  await research.ok("curate.accept", { ids: ["W101"] });
  await research.ok("seed", { equation: "alpha", refresh: true });
  expect(await research.rows("SELECT curation_status AS s FROM papers WHERE source_id = 'W101'")).toEqual([
    { s: "accepted" },
  ]);
});

test("RL-181: the same seed twice at once asks once, and others at the same time are united", async () => {
  const research = await openResearch({ works: [...alpha, ...bulk] });
  const seeds = ["alpha", "alpha", "bulk"].map((equation) =>
    research.ok("seed", { equation, max_results: 50 }),
  );
  await Promise.all(seeds);
  expect(research.asked()).toBe(2);
  expect(await research.rows("SELECT count(*) AS n FROM papers WHERE active")).toEqual([{ n: 54 }]);
  expect(await research.rows("SELECT max(round) AS n FROM loop_state_log")).toEqual([{ n: 3 }]);
});

test("RL-144, RL-3: a network whose nodes are no papers lists none, and says what shows them", async () => {
  const { ok, offered } = await seeded();
  await ok("build", { networks: ["author_collab"] });
  const fix = "writ research read top --network author_collab";
  expect(await ok("read.list", { network: "author_collab" })).toMatchObject({
    papers: [],
    reason: expect.stringContaining("are no papers"),
    fix_command: fix,
  });
  expect(offered).toContain(fix);
  expect(await ok("read.list", { network: "author_collab", edge: ["a1", "a2"] })).toMatchObject({ count: 2 });
  await ok("build", { networks: ["bibliographic_coupling"] });
  const shared = await ok("read.list", { network: "bibliographic_coupling", edge: ["W101", "W102"] });
  expect(shared).toMatchObject({
    papers: [],
    shared_count: 2,
    reason: "The 2 references that they share are no papers of the library.",
  });
  expect(shared).not.toHaveProperty("fix_command");
});
