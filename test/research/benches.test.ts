import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("RL-175: every workload has a bench that names it", () => {
  const folder = join(import.meta.dirname, "../../bench/research");
  const texts = globSync("*.bench.ts", { cwd: folder }).map((name) =>
    readFileSync(join(folder, name), "utf8"),
  );
  // As they stand in the findings: `what: "B3: 1,000 papers"`.
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(/["`](B\d+)[:,]/g)].map(([, name]) => name)),
  );
  expect(named).toEqual(new Set(Array.from({ length: 15 }, (_, at) => `B${at + 1}`)));
});
