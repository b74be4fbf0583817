import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { libraryFile } from "../../../packages/writ/src/research/library/place.ts";
import { alpha } from "../../fakes/openalex/works.ts";
import { openResearch } from "../workspace.ts";

test("RL-174: writ status tells of the library without opening it", async () => {
  const { app, root, ok } = await openResearch({ works: alpha });
  await ok("seed", { equation: "alpha" });
  await ok("curate.accept", { ids: ["W101"] });
  writeFileSync(join(root, libraryFile), "no database");
  const answer = await app.call("workspace.status", {});
  expect(answer.data.research).toEqual({ loop_state: "SEEDED", round: 1, papers: 4, accepted: 1 });
});
