import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alpha } from "../../fakes/openalex/works.ts";
import { seededOnce } from "../workspace.ts";

const seeded = seededOnce(alpha, "alpha");

interface Built {
  networks: { kind: string; nodes: number; edges: number }[];
  run_id: string;
  thesaurus?: object;
  usage?: { requests: number };
}

test("RL-138: with --fetch-citers the seeds' citers are asked for first, noted, and bring co-citation", async () => {
  const research = await seeded();
  research.asked();
  const data = (await research.ok("build", {
    fetch_citers: true,
    networks: ["cocitation"],
  })) as unknown as Built;
  expect(research.asked()).toBe(1);
  expect(data.usage).toMatchObject({ requests: 1 });
  expect(data.networks).toMatchObject([{ kind: "cocitation", nodes: 3, edges: 3 }]);
  // Citers are known, and no paper came with them.
  expect(await research.rows("SELECT count(*) AS papers FROM papers WHERE active")).toEqual([{ papers: 4 }]);
  const runs = await research.rows(
    "SELECT verb, state, usage IS NOT NULL AS asked FROM runs WHERE verb = 'build'",
  );
  expect(runs).toEqual([{ verb: "build", state: "done", asked: true }]);
  expect(await research.rows("SELECT name, edges FROM builds")).toEqual([{ name: "cocitation", edges: 3 }]);
  expect(await research.ok("status")).toMatchObject({ loop_state: "BUILT", networks_cache_stale: false });
});

test("RL-117: undoing the build that loaded a thesaurus takes it out of force", async () => {
  const research = await seeded();
  writeFileSync(join(research.root, "t.txt"), "label\treplace by\ngraph theory\tgraphs\nnetwork\tgraphs\n");
  const keywords = async (given = {}) =>
    (await research.ok("build", { networks: ["keyword_cooccurrence"], ...given })) as unknown as Built;
  const first = await keywords({ thesaurus: "t.txt" });
  expect(first.networks).toMatchObject([{ nodes: 2, edges: 1 }]);
  await research.ok("curate.undo", { run: first.run_id });
  const second = await keywords();
  expect(second.networks).toMatchObject([{ nodes: 3, edges: 3 }]);
  expect(second).not.toHaveProperty("thesaurus");
});

test("RL-148, RL-149: a built network is read and exported through the same door", async () => {
  const research = await seeded();
  await research.ok("build", { networks: ["bibliographic_coupling"] });
  expect(await research.ok("read.top", { n: 2 })).toMatchObject({
    network: "bibliographic_coupling",
    top: 2,
  });
  const data = await research.ok("export", { format: "html" });
  expect(data).toMatchObject({
    files_written: [".writ/research/exports/network.html"],
    networks_exported: 1,
  });
  const page = readFileSync(join(research.root, ".writ/research/exports/network.html"), "utf8");
  expect(page).toMatch(/default-src &#39;none&#39;|default-src 'none'/);
  expect(await research.failure("export", { format: "csv", network: ["nope"] })).toMatchObject({
    code: "E_NOT_FOUND",
    exit_code: 2,
  });
  expect((await research.failure("read.top", { n: 0 })).exit_code).toBe(2);
  expect((await research.failure("build", { min_weight: 0 })).exit_code).toBe(2);
  expect((await research.failure("build", { spec: "n.yml", min_weight: 2 })).exit_code).toBe(1);
});
