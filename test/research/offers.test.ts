import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alpha, type FakeWork, resolvable } from "../fakes/openalex/works.ts";
import { runLine } from "../support/terminal.ts";
import { wordsOf } from "./offers.ts";
import { openResearch, type Research } from "./workspace.ts";

/** One paper with a DOI and nothing that it shares with another. */
const lonely = `TY  - JOUR
TI  - A Study of Things
AU  - Diaz, Carla
PY  - 2020
DO  - 10.7777/X.1
ER  - 
`;

const equation = "equation:\n  query: alpha\n";

const situations: Readonly<
  Record<string, { works: readonly FakeWork[]; make: (it: Research) => Promise<void> }>
> = {
  "a library of nothing": {
    works: [],
    make: async ({ ok, root }) => {
      writeFileSync(join(root, "equation.yml"), equation);
      await ok("seed", { equation: "nothing" });
      for (const verb of ["chain", "read.list", "curate.dump", "build", "read.top", "status"]) await ok(verb);
      await ok("curate.dump", { scope: "all" });
    },
  },
  "papers that no source knows": {
    works: resolvable,
    make: async ({ ok, root }) => {
      writeFileSync(join(root, "one.ris"), lonely);
      await ok("seed", { from_file: "one.ris" });
      await ok("chain", { direction: "forward" });
      await ok("build");
      await ok("status");
    },
  },
  "networks that are too much or too little": {
    works: alpha,
    make: async ({ ok }) => {
      await ok("seed", { equation: "alpha" });
      await ok("build", { min_weight: 5, networks: ["bibliographic_coupling"] });
      await ok("build", { max_pairs: 1, networks: ["bibliographic_coupling"] });
      await ok("read.top", { by: "pagerank" });
      const { run_id: run } = await ok("curate.accept", { ids: ["W101"] });
      await ok("curate.undo", { run });
      await ok("status");
    },
  },
};

/** The commands as shapes: what is offered with other values is the same offer. */
const shapeOf = (line: string) => line.replaceAll(/rr_[\w-]+/g, "RUN").replaceAll(/\d+/g, "N");

test.each(Object.keys(situations))("RL-182, RL-3: what is offered runs as it is printed, in %s", async (name) => {
  const { works, make } = situations[name] ?? { works: [], make: async () => {} };
  const it = await openResearch({ works });
  await make(it);
  const lines = [...new Map([...it.offered].map((line) => [shapeOf(line), line])).values()];
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    const copy = mkdtempSync(`${it.root}-copy-`);
    try {
      cpSync(it.root, copy, { recursive: true });
      const argv = [...wordsOf(line).slice(1), "--json", "--quiet"];
      const ran = await runLine(it.app.app, argv, { cwd: copy });
      expect([0, 2, 4], `${line}: ${ran.stdout}`).toContain(ran.code);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  // Each line runs in a folder of its own: on a busy machine that takes its time.
}, 120_000);
