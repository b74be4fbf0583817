import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { availableBuilds } from "../../../packages/writ/src/research/builds/recorded.ts";
import { exportLibrary } from "../../../packages/writ/src/research/export/export.ts";
import { openNetwork, openReader } from "../../../packages/writ/src/research/export/network-file.ts";
import { exportInput } from "../../../packages/writ/src/research/export/shape.ts";
import { targetFolder } from "../../../packages/writ/src/research/export/target.ts";
import { undo } from "../../../packages/writ/src/research/library/undo-verb.ts";
import { readLibrary } from "../../../packages/writ/src/research/library/use.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { testContext, type TestContext } from "../../support/context.ts";
import { alphaSeeds, workOf } from "../library/works.ts";
import { builtOn, seededLibrary } from "./libraries.ts";

const networksOf = (root: string) => join(root, ".writ/research/networks");
const buildsOf = (ctx: TestContext, root: string) => readLibrary(ctx, (db) => availableBuilds(db, root));

test("RL-148: a network that took the place of another and was undone is not read as the other", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  await builtOn(ctx(), { networks: ["author_collab"] });
  const second = await builtOn(ctx(), { networks: ["author_collab"], min_weight: 2 });
  const undone = await undo(ctx(), { runId: second.data.run_id });
  expect(await buildsOf(ctx(), temp.path)).toEqual([]);
  await undo(ctx(), { runId: undone.run_id ?? "" });
  expect(await buildsOf(ctx(), temp.path)).toMatchObject([{ spec: { minWeight: 2 }, edges: 2 }]);
});

test("RL-138, RL-148: of two builds at once the one that is committed last counts, whichever began first", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const first = ctx();
  const commit = first.commit.bind(first);
  first.commit = async (fact, work) => {
    await builtOn(ctx(), { networks: ["author_collab"], min_weight: 2 });
    return commit(fact, work);
  };
  await builtOn(first, { networks: ["author_collab"] });
  const [found] = await buildsOf(ctx(), temp.path);
  expect(found).toMatchObject({ spec: { minWeight: 1 }, edges: 3 });
  const metrics = JSON.parse(readFileSync(join(found?.folder ?? "", "metrics.json"), "utf8")) as object;
  expect(metrics).toMatchObject({ params: { min_weight: 1 } });
});

test("RL-148: networks in a folder of the library that is not theirs are found where they are", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const out = ".writ/research/others";
  await builtOn(ctx(), { networks: ["author_collab"], out_dir: out });
  expect(await buildsOf(ctx(), temp.path)).toMatchObject([{ folder: join(temp.path, out, "author_collab") }]);
  await builtOn(ctx(), { networks: ["author_collab"], out_dir: ".writ/research/networks" });
  expect((await buildsOf(ctx(), temp.path)).map(({ outDir }) => outDir)).toEqual([undefined]);
});

test("RL-20: a build does not exchange networks while somebody reads the library", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const context = ctx();
  const commit = context.commit.bind(context);
  const ended = Promise.withResolvers<void>();
  let reading: Promise<void> = Promise.resolve();
  context.commit = async (fact, work) => {
    const made = await commit(fact, work);
    const begun = Promise.withResolvers<void>();
    reading = readLibrary(ctx(), async () => {
      begun.resolve();
      await ended.promise;
    });
    await begun.promise;
    return made;
  };
  const refused = { code: "E_STORE_LOCKED" };
  await expect(builtOn(context, { networks: ["author_collab"], wait: 0 })).rejects.toMatchObject(refused);
  expect(existsSync(join(networksOf(temp.path), "author_collab"))).toBe(false);
  ended.resolve();
  await reading;
  // It is committed: it is read where it lies, and the next build puts it into its place.
  expect(await buildsOf(ctx(), temp.path)).toMatchObject([{ folder: expect.stringContaining(".stage-") }]);
  await builtOn(ctx(), { networks: ["keyword_cooccurrence"] });
  expect(existsSync(join(networksOf(temp.path), "author_collab"))).toBe(true);
});

test("RL-151: whoever reads a network writes nothing beside it, so that others may read it too", async () => {
  using temp = tempFolder();
  using mine = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  await builtOn(ctx(), { networks: ["author_collab"] });
  const folder = join(networksOf(temp.path), "author_collab");
  const before = readdirSync(folder);
  const reader = await openReader(mine.path);
  const network = await openNetwork(folder, { name: "author_collab", kind: "author_collab" }, reader);
  const lines = network.edgeLines?.("source || ' ' || target")[Symbol.asyncIterator]();
  expect(Buffer.from((await lines?.next())?.value ?? []).toString()).toBe("a1 a2\na1 a3\na2 a3\n");
  expect(readdirSync(folder)).toEqual(before);
  await lines?.return?.(undefined);
  await reader.close();
  expect(readdirSync(mine.path)).toEqual([]);
});

test("RL-6: signs in the path of a workspace stand for nothing else", async () => {
  using temp = tempFolder();
  const [odd, other] = [join(temp.path, "a*b [$$]"), join(temp.path, "a--b [$$]")];
  const exported = async (root: string, works = alphaSeeds) => {
    const { ctx } = await seededLibrary(root, works);
    await builtOn(ctx(), { networks: ["author_collab"] });
    await exportLibrary(ctx(), z.object(exportInput).parse({ format: "graphml" }));
    return readFileSync(join(root, ".writ/research/exports/author_collab.graphml"), "utf8");
  };
  for (const root of [odd, other]) mkdirSync(root);
  await exported(other, alphaSeeds.slice(0, 2));
  const text = await exported(odd);
  expect(text.match(/<node /g)).toHaveLength(3);
  expect(text.match(/<edge /g)).toHaveLength(3);
});

test("RL-25: a link to nothing leads where it would, through other links", async () => {
  using temp = tempFolder();
  using outside = tempFolder();
  symlinkSync(outside.path, join(temp.path, "out"));
  symlinkSync("gone", join(outside.path, "link"));
  symlinkSync("ring", join(temp.path, "ring"));
  const asked = (path: string, local: boolean) =>
    targetFolder({ ...testContext({ root: temp.path }), local }, path, join(temp.path, "usual"));
  expect(await asked("out/link", true)).toMatchObject({ folder: join(outside.path, "gone"), isUsual: false });
  await expect(asked("out/link", false)).rejects.toMatchObject({ code: "E_UNSAFE_PATH" });
  await expect(asked("ring", true)).rejects.toMatchObject({ code: "E_UNSAFE_PATH" });
  expect(await asked("usual", false)).toMatchObject({ shown: "usual", isUsual: true });
});

test("RL-129: a scope that a file gives a network counts, whatever the scope of the others", async () => {
  using temp = tempFolder();
  const { ctx, change } = await seededLibrary(temp.path, []);
  const { ingest } = await import("../../../packages/writ/src/research/library/ingest.ts");
  await change("chain", async (one) => {
    await ingest(one, alphaSeeds, { via: "citer", seed: false, hop: 1, fetchedAt: new Date(0) });
    return {};
  });
  writeFileSync(
    join(temp.path, "n.yml"),
    "networks: [{ kind: author_collab, scope: all }, { kind: keyword_cooccurrence }]\n",
  );
  const { data, context } = await builtOn(ctx(), { spec: "n.yml", scope: "accepted" });
  expect(data.networks).toMatchObject([{ kind: "author_collab", edges: 3 }]);
  expect(data.empty_networks).toMatchObject([{ kind: "keyword_cooccurrence" }]);
  expect(data.corpus_hash).toBe("");
  expect(context.warnings.map(({ code }) => code)).toEqual(["W_EMPTY_SCOPE"]);
});

test("RL-129: a filter on keywords knows small and capital letters of every script", async () => {
  using temp = tempFolder();
  const words = ["ΟΔΟΣ", "İstanbul", "Straße"];
  const { ctx } = await seededLibrary(
    temp.path,
    words.map((word, at) =>
      workOf({
        title: word,
        sourceId: `W${at}`,
        keywords: [word, `second ${at}`].map((name) => ({ id: null, name, score: null })),
      }),
    ),
  );
  for (const word of words) {
    writeFileSync(
      join(temp.path, "n.yml"),
      `networks: [{ kind: keyword_cooccurrence, keyword_filter: ["${word}"] }]\n`,
    );
    expect((await builtOn(ctx(), { spec: "n.yml" })).data.networks).toMatchObject([{ nodes: 2, edges: 1 }]);
  }
});

test("RL-3, RL-130: the way out of a weight that is too high names the network and its scope", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const empty = async (given: Record<string, unknown>) =>
    (await builtOn(ctx(), given)).data.empty_networks.map(({ fix_command: fix }) => fix);
  expect(await empty({ networks: ["country_collab"], min_weight: 9, scope: "seeds" })).toEqual([
    "writ research build --networks country_collab --scope seeds --min-weight 8",
  ]);
  expect(await empty({ networks: ["author_collab"], min_weight: 9 })).toEqual([
    "writ research build --min-weight 8",
  ]);
});
