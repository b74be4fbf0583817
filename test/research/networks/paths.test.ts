import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alpha, paths } from "../../fakes/openalex/works.ts";
import { openResearch } from "../workspace.ts";

test.each([
  ["pathone", { value: -0.333333, of: "language" }],
  ["pathtwo", { value: -0.5, of: "degree" }],
  ["alpha", { value: null, of: "degree" }],
] as const)("RL-133: mixing in the coupling network of %s", async (word, { value, of }) => {
  const { root, ok } = await openResearch({ works: [...alpha, ...paths] });
  writeFileSync(
    join(root, "networks.yml"),
    "networks:\n  - kind: bibliographic_coupling\n    assortativity_attribute: language\n",
  );
  await ok("seed", { equation: word });
  await ok("build", { spec: join(root, "networks.yml") });
  const file = join(root, ".writ/research/networks/bibliographic_coupling/metrics.json");
  const metrics = JSON.parse(readFileSync(file, "utf8"));
  const coefficient = of === "degree" ? metrics.degree_assortativity : metrics.assortativity.value;
  if (value === null) expect(metrics.degree_assortativity).toBeNull();
  else expect(coefficient).toBeCloseTo(value, 4);
});
