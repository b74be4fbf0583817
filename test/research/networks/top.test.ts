import { expect, test } from "vitest";
import { z } from "zod";
import { readTop } from "../../../packages/writ/src/research/read/top.ts";
import { topInput, topOutput } from "../../../packages/writ/src/research/read/top-shape.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import type { TestContext } from "../../support/context.ts";
import { bridgeWorks, builtOn, chainedLibrary, seededLibrary } from "./libraries.ts";

async function topOf(context: TestContext, given: Record<string, unknown> = {}) {
  return topOutput.parse(await readTop(context, z.object(topInput).parse(given)));
}

test("RL-148: without a build degree is reckoned and nothing is written; a list of none is refused", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path);
  const data = await topOf(ctx());
  expect(data).toMatchObject({ kind: "bibliographic_coupling", network: null, top: 10, stale: false });
  expect(data.central.map(({ title, value }) => [title, value])).toEqual([
    ["Alpha networks", 1],
    ["Alpha methods", 1],
    ["Alpha review", 1],
  ]);
  expect(data.central.map(({ id }) => id)).toEqual(data.central.map(({ id }) => id).toSorted());
  await expect(topOf(ctx(), { n: 0 })).rejects.toMatchObject({ code: "E_INVALID_VALUE" });
  expect((await topOf(ctx(), { by: "pagerank" })).fix_command).toBe("writ research build");
});

test("RL-148: two communities, three papers each, with the fields that were asked for", async () => {
  using temp = tempFolder();
  const { ctx } = await seededLibrary(temp.path, bridgeWorks);
  await builtOn(ctx(), { networks: ["bibliographic_coupling"] });
  const data = await topOf(ctx(), { by_community: true, fields: ["title,abstract", "betweenness"] });
  expect(data.groups?.map(({ community, size, papers }) => [community, size, papers.length])).toEqual([
    [0, 3, 3],
    [1, 3, 3],
  ]);
  expect(data.groups?.[0]?.papers[0]).toMatchObject({ abstract: null, betweenness: 0.6 });
  await expect(topOf(ctx(), { fields: ["titel"] })).rejects.toMatchObject({
    code: "USAGE_ERROR",
    failure: { details: { nearest: "title" } },
  });
  await expect(topOf(ctx(), { network: "bibliographic_couplin" })).rejects.toMatchObject({
    code: "E_NOT_FOUND",
    failure: {
      details: { nearest: "bibliographic_coupling" },
      remediation: "writ research read top --network bibliographic_coupling",
    },
  });
  const seeded = await topOf(ctx(), { by: "strength", n: 2 });
  expect(seeded.central).toHaveLength(2);
});

test("RL-137: what to read comes after what it cites, with reasons, alike each time", async () => {
  using temp = tempFolder();
  const { ctx } = await chainedLibrary(temp.path);
  await builtOn(ctx(), { networks: ["bibliographic_coupling", "cocitation"] });
  const data = await topOf(ctx(), { by: "reading", n: 8 });
  expect(data.central).toHaveLength(8);
  const order = data.central.map(({ title }) => title);
  for (const [citing, ...cited] of [
    ["Citer one", "Alpha methods", "Alpha networks"],
    ["Citer two", "Alpha methods", "Alpha networks", "Alpha review"],
    ["Citer three", "Alpha review"],
    ["Citer four", "Alpha outlier"],
  ] as const)
    for (const one of cited) expect(order.indexOf(one)).toBeLessThan(order.indexOf(citing));
  expect(data.central.every(({ reasons }) => (reasons?.length ?? 0) > 0)).toBe(true);
  expect(await topOf(ctx(), { by: "reading", n: 8 })).toEqual(data);
  expect(
    data.cocitation.map(({ source_title: a, target_title: b, weight }) => [[a, b].toSorted(), weight]),
  ).toEqual([
    [["Alpha methods", "Alpha networks"], 2],
    [expect.arrayContaining(["Alpha review"]), 1],
    [expect.arrayContaining(["Alpha review"]), 1],
  ]);
});

test("RL-148: a build whose papers have changed is told to be stale", async () => {
  using temp = tempFolder();
  const { ctx, addCandidates } = await seededLibrary(temp.path);
  await builtOn(ctx(), { networks: ["bibliographic_coupling"] });
  await addCandidates();
  const context = ctx();
  expect(await topOf(context, { network: "bibliographic_coupling" })).toMatchObject({ stale: true });
  expect(context.warnings).toMatchObject([{ code: "W_STALE" }]);
});
