import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alpha, resolvable } from "../fakes/openalex/works.ts";
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

/** The commands as shapes: what is offered with other values is the same offer. */
const shapeOf = (line: string) => line.replaceAll(/rr_[\w-]+/g, "RUN").replaceAll(/\d+/g, "N");

/** Runs each line that was offered, as it is printed, in a copy of the workspace that it was offered in. */
async function runAll({ app, root, offered }: Research): Promise<string[]> {
  const lines = new Map([...offered].map((line) => [shapeOf(line), line]));
  for (const line of lines.values()) {
    const copy = mkdtempSync(`${root}-copy-`);
    try {
      cpSync(root, copy, { recursive: true });
      const argv = [...wordsOf(line).slice(1), "--json", "--quiet"];
      const ran = await runLine(app.app, argv, { cwd: copy });
      expect([0, 2, 4], `${line}: ${ran.stdout}`).toContain(ran.code);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  return [...lines.keys()];
}

// Each line runs in a folder of its own: on a busy machine that takes its time.
const patience = 120_000;

test(
  "RL-44, RL-182, RL-3: in an empty library everything but monitoring succeeds, and says why it brings nothing",
  async () => {
    const it = await openResearch({ works: [] });
    const { ok, root, failure } = it;
    await ok("seed", { equation: "nothing" });
    expect(await failure("chain", { since: "last" })).toMatchObject({ code: "E_NO_CORPUS", exit_code: 2 });
    writeFileSync(join(root, "equation.yml"), "equation:\n  query: alpha\n");
    const state = async () => (await ok("status")).loop_state;
    const because = { reason: expect.any(String) };
    expect(await ok("chain")).toMatchObject({ ...because, candidates_found: 0 });
    expect(await state()).toBe("SEEDED");
    expect(await ok("build")).toMatchObject({ networks_built: 0, corpus_hash: "" });
    expect(await state()).toBe("BUILT");
    const { run_id: run } = await ok("curate.filter", { year_gte: 2010 });
    expect(await state()).toBe("FILTERED");
    await ok("curate.undo", { run });
    for (const verb of ["read.list", "curate.dump", "read.top"])
      expect(await ok(verb)).toMatchObject(because);
    await ok("curate.dump", { scope: "all" });
    expect(await state()).toBe("BUILT");
    expect((await runAll(it)).length).toBeGreaterThan(5);
  },
  patience,
);

test(
  "RL-160, RL-182, RL-3: the next step is not ready where it would bring nothing, and what helps is named",
  async () => {
    const it = await openResearch({ works: resolvable });
    const { ok, root } = it;
    writeFileSync(join(root, "one.ris"), lonely);
    await ok("seed", { from_file: "one.ris" });
    const isReady = async () => {
      const { next_best_action: next, readiness } = await ok("status");
      return { next, ...(readiness as { ready: boolean; reason: string }) };
    };
    expect(await isReady()).toEqual({
      next: "chain",
      ready: false,
      reason: "None of 1 seeds has an id at a source. Look up their DOIs: writ research seed --resolve",
    });
    await ok("chain", { direction: "forward" });
    await ok("build");
    await ok("curate.filter", { year_gte: 1900 });
    expect(await isReady()).toEqual({
      next: "build",
      ready: false,
      reason: expect.stringMatching(/^Every network would be empty: 0 of 1 .*writ research seed --resolve$/),
    });
    expect((await runAll(it)).filter((line) => line.endsWith("--resolve"))).toHaveLength(1);
    await ok("seed", { resolve: true });
    await ok("seed", { from_file: "one.ris" });
    expect(await isReady()).toMatchObject({ next: "chain", ready: true });
  },
  patience,
);

test(
  "RL-182, RL-3: where networks are too much or too little, the command that fits is offered and runs",
  async () => {
    const it = await openResearch({ works: alpha });
    const { ok } = it;
    const coupling = ["bibliographic_coupling"];
    await ok("seed", { equation: "alpha" });
    await ok("build", { min_weight: 5, networks: coupling });
    await ok("build", { max_pairs: 1, networks: coupling });
    await ok("read.top", { by: "pagerank" });
    const { run_id: run } = await ok("curate.accept", { ids: ["W101"] });
    await ok("curate.undo", { run });
    expect(await runAll(it)).toEqual(
      expect.arrayContaining([
        "writ research build --min-weight N",
        expect.stringContaining("--hub-cap N"),
        "writ research curate undo --run RUN",
      ]),
    );
  },
  patience,
);
