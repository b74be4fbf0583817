import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alpha, paths } from "../../fakes/openalex/works.ts";
import { openResearch } from "../workspace.ts";

const near = (value: number) => expect.closeTo(value, 4);

test.each([
  ["pathone", { assortativity: { value: near(-0.333333) } }],
  ["pathtwo", { degree_assortativity: near(-0.5) }],
  ["alpha", { degree_assortativity: null }],
])("RL-133: mixing in the coupling network of %s", async (word, mixing) => {
  const { root, ok } = await openResearch({ works: [...alpha, ...paths] });
  const spec = join(root, "networks.yml");
  writeFileSync(spec, "networks:\n  - kind: bibliographic_coupling\n    assortativity_attribute: language\n");
  await ok("seed", { equation: word });
  await ok("build", { spec });
  const file = join(root, ".writ/research/networks/bibliographic_coupling/metrics.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject(mixing);
});
