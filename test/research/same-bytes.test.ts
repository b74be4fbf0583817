import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alpha } from "../fakes/openalex/works.ts";
import { type Research, seededOnce } from "./workspace.ts";

const seeded = seededOnce(alpha, "alpha");

/** What was made below a folder of the library, by its path. */
function filesOf({ root }: Research, folder: string): Record<string, Buffer> {
  const top = join(root, ".writ/research", folder);
  const files = readdirSync(top, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files
      .map((one) => join(one.parentPath, one.name))
      // It names runs and times.
      .filter((path) => !path.endsWith("build.json"))
      .map((path) => [path.slice(top.length + 1), readFileSync(path)]),
  );
}

async function madeFrom(it: Research) {
  await it.ok("build");
  await it.ok("export", { format: "gexf" });
  await it.ok("export", { format: "bibtex" });
  await it.ok("curate.dump", { scope: "all" });
  const answers = [
    (await it.ok("read.list", { fields: ["all"] })).papers,
    (await it.ok("read.top", { by: "reading" })).central,
    (await it.ok("curate.duplicates")).proposals,
  ];
  return { networks: filesOf(it, "networks"), exports: filesOf(it, "exports"), answers };
}

test("RL-2: one library asked the same twice, at another time and in another place, gives the same bytes", async () => {
  const one = await madeFrom(await seeded());
  const other = await madeFrom(await seeded({ now: () => Date.UTC(2031, 0, 1) }));
  expect(Object.keys(one.networks).length).toBeGreaterThan(10);
  expect(Object.keys(one.exports).length).toBeGreaterThan(4);
  for (const folder of ["networks", "exports"] as const) {
    expect(Object.keys(other[folder])).toEqual(Object.keys(one[folder]));
    const differing = Object.keys(one[folder]).filter(
      (path) => !one[folder][path]?.equals(other[folder][path] ?? Buffer.alloc(0)),
    );
    expect(differing).toEqual([]);
  }
  expect(other.answers).toEqual(one.answers);
});
