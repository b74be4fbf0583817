import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { placeOf } from "../../packages/writ/src/research/library/place.ts";
import { alpha, bulk, traps } from "../fakes/openalex/works.ts";
import { runLine } from "../support/terminal.ts";
import { bibFile } from "./files.ts";
import { wordsOf } from "./offers.ts";
import { openResearch, type Research } from "./workspace.ts";

const search = { equation: "bulk", max_results: 250 };
const stopped = { ...search, max_cost_usd: 0.002 };

describe("runs", () => {
  test("RL-67, RL-147: two equations that are asked in one second have two names", async () => {
    const { ok, rows } = await openResearch({ works: alpha, now: () => Date.UTC(2026, 0, 2) });
    for (const equation of ["alpha", "methods"]) await ok("seed", { equation });
    expect(await rows("SELECT equation_id AS id, equation_text AS text FROM runs ORDER BY seq")).toEqual([
      { id: "eq-20260102T000000", text: "alpha" },
      { id: "eq-20260102T000000-2", text: "methods" },
    ]);
  });

  test("RL-159: status tells the newest runs, and of one that stopped how it goes on and how it is given up", async () => {
    const { ok, failure, rows } = await openResearch({ works: bulk });
    await failure("seed", stopped);
    const { unfinished_runs: open, runs } = await ok("status");
    const [{ run_id: run } = { run_id: "" }] = open as { run_id: string }[];
    const resume = "writ research seed --equation bulk --max-results 250";
    const discard = `writ research curate undo --run ${run}`;
    expect(open).toMatchObject([{ verb: "seed", state: "paused", pages_done: 2, resume, discard }]);
    expect(runs).toMatchObject([{ run_id: run, verb: "seed", state: "paused", undone: false }]);
    const given = await ok("curate.undo", { run });
    expect(given).toMatchObject({ undone: run, papers_changed: 0, papers_removed: 0, built_on: [] });
    expect(await ok("status", { runs: 1 })).toMatchObject({
      unfinished_runs: [],
      runs: [{ verb: "curate.undo", run_id: given.run_id, state: "done" }],
    });
    const seeded = await ok("seed", search);
    expect(seeded).toMatchObject({ papers_new: 250, round: 1 });
    expect(seeded.run_id).not.toBe(run);
    expect(await rows("SELECT run_id, state FROM runs WHERE verb = 'seed' ORDER BY seq")).toEqual([
      { run_id: run, state: "paused" },
      { run_id: seeded.run_id, state: "done" },
    ]);
  });

  test("RL-74, RL-109: giving up is undone like anything else, and then the same command goes on", async () => {
    const { ok, failure, asked } = await openResearch({ works: bulk });
    await failure("seed", stopped);
    const { unfinished_runs: open } = await ok("status");
    const [{ run_id: run } = { run_id: "" }] = open as { run_id: string }[];
    const given = await ok("curate.undo", { run });
    await ok("curate.undo", { run: given.run_id });
    expect(await ok("status")).toMatchObject({ unfinished_runs: [{ run_id: run }] });
    asked();
    expect(await ok("seed", search)).toMatchObject({ run_id: run, papers_new: 250 });
    expect(asked()).toBe(1);
  });

  test("RL-74: what begins anew takes the place of what had stopped", async () => {
    const { ok, failure } = await openResearch({ works: bulk });
    await failure("seed", stopped);
    await failure("seed", { ...search, resume: false, max_cost_usd: 0 });
    const { unfinished_runs: open, runs } = await ok("status");
    expect(runs).toHaveLength(2);
    expect(open).toHaveLength(1);
    await ok("seed", { ...search, resume: false });
    expect(await ok("status")).toMatchObject({ unfinished_runs: [] });
    expect(await failure("curate.undo", { run: "rr_nope" })).toMatchObject({
      code: "E_NOT_FOUND",
      remediation: "See the newest runs: writ research status --runs 20",
    });
  });

  test("RL-159: a person reads the runs, and the lines to paste", async () => {
    const { failure, app, root } = await openResearch({ works: bulk });
    await failure("seed", stopped);
    const { stdout } = await runLine(app.app, ["research", "status"], { cwd: root });
    expect(stdout).toMatch(/^Runs +rr_\S+ +\S+Z +seed +paused$/m);
    expect(stdout).toMatch(/^ +go on +writ research seed --equation bulk --max-results 250$/m);
    expect(stdout).toMatch(/^ +give up +writ research curate undo --run rr_\S+$/m);
  });
});

/** The bytes of the library's file, as one word. */
const bytesOf = ({ root }: Research) =>
  createHash("sha256")
    .update(readFileSync(placeOf(root).file))
    .digest("hex");

describe("rehearsals", () => {
  test("RL-11: an import that is rehearsed counts what it would bring, and the library keeps its bytes", async () => {
    const research = await openResearch({ works: alpha });
    const { ok, root } = research;
    writeFileSync(join(root, "works.bib"), bibFile);
    const counts = {
      entries: 3,
      papers_new: 2,
      papers_updated: 0,
      papers_added: 2,
      total_papers: 2,
      round: 1,
    };
    const first = await ok("seed", { from_bib: "works.bib", dry_run: true });
    expect(first).toMatchObject({
      ...counts,
      dry_run: true,
      changed: true,
      run_id: null,
      skipped: [{ line: 3 }],
    });
    expect(await ok("seed", { from_bib: "works.bib" })).toMatchObject(counts);
    const changed = bibFile.replace("{2021}", "{2022}").replace("Conf paper", "Another paper");
    writeFileSync(join(root, "works.bib"), changed.replace("J One", "J Other"));
    const before = bytesOf(research);
    expect(await ok("seed", { from_bib: "works.bib", dry_run: true })).toMatchObject({
      papers_new: 1,
      papers_updated: 1,
      total_papers: 3,
      round: 2,
      reseeded: true,
    });
    expect(bytesOf(research)).toBe(before);
    expect(await ok("status")).toMatchObject({ total_papers: 2, round: 1 });
    expect(await ok("seed", { from_bib: "works.bib" })).toMatchObject({ papers_new: 1, papers_updated: 1 });
  });

  test("RL-11: an undo and a merge that are rehearsed say what would change, and change nothing", async () => {
    const research = await openResearch({ works: traps });
    const { ok } = research;
    const { run_id: run } = await ok("seed", { equation: "trap" });
    const { proposals } = await ok("curate.duplicates", { kind: ["paper"] });
    const proposal = (proposals as { proposal: string }[]).map((one) => one.proposal);
    const before = bytesOf(research);
    expect(await ok("curate.merge", { proposal, dry_run: true })).toMatchObject({
      run_id: null,
      papers_changed: expect.any(Number),
      total_papers: 3,
    });
    const undone = await ok("curate.undo", { run, dry_run: true });
    expect(undone).toMatchObject({ run_id: null, papers_removed: 4, state: null, round: 0 });
    expect(undone).not.toHaveProperty("next");
    expect(bytesOf(research)).toBe(before);
    expect(await ok("status")).toMatchObject({ total_papers: 4, loop_state: "SEEDED" });
  });
});

test("RL-11: a restore that is rehearsed tells the corpus it would make, and makes none", async () => {
  const [one, other] = [await openResearch({ works: traps }), await openResearch({ works: traps })];
  await one.ok("seed", { equation: "trap" });
  const { snapshot_dir: made } = await one.ok("snapshot.create");
  const from = join(one.root, made as string);
  await other.ok("seed", { equation: "alpha" });
  const before = bytesOf(other);
  const {
    run_id: none,
    workspace: _,
    ...foreseen
  } = await other.ok("snapshot.restore", { from, dry_run: true });
  expect(none).toBeNull();
  expect(bytesOf(other)).toBe(before);
  expect(await other.ok("snapshot.restore", { from })).toMatchObject({ ...foreseen, dry_run: false });
  expect(foreseen).toMatchObject({ changed: true, papers_loaded: 4, total_papers: 4 });
});

test("RL-165: where the library is gone, the newest snapshot is named and restores it", async () => {
  const { ok, failure, root } = await openResearch({ works: traps });
  await ok("seed", { equation: "trap" });
  const { snapshot_dir: from } = await ok("snapshot.create");
  rmSync(join(root, ".writ/research/library.duckdb"));
  const error = await failure("read.stats");
  expect(error).toMatchObject({
    code: "E_LIBRARY_MISSING",
    message: "This workspace has no research library.",
    details: { newest_snapshot: expect.stringContaining(from as string) },
  });
  expect(await ok("snapshot.restore", { from: error.details?.newest_snapshot })).toMatchObject({
    total_papers: 4,
  });
});

test("RL-156: what was undone since the snapshot was made stays out of a restore, which says so and how to have it back", async () => {
  const { ok } = await openResearch({ works: traps });
  const { run_id: run } = await ok("seed", { equation: "trap" });
  const { snapshot_dir: from } = await ok("snapshot.create");
  const { run_id: undo } = await ok("curate.undo", { run });
  const fix = `writ research curate undo --run ${undo}`;
  expect(await ok("snapshot.restore", { from })).toMatchObject({
    papers_loaded: 4,
    total_papers: 0,
    reason: expect.stringContaining("undone here"),
    fix_command: fix,
  });
  await ok("curate.undo", { run: undo });
  expect(await ok("status")).toMatchObject({ total_papers: 4 });
});

describe("nothing to take in", () => {
  test("RL-3: a file without any work is no seeding, says why, and names what would fill the library", async () => {
    const { ok, root, rows } = await openResearch({ works: alpha });
    const taken = async (text: string) => {
      writeFileSync(join(root, "works.bib"), text);
      return ok("seed", { from_bib: "works.bib" });
    };
    const empty = { changed: false, run_id: null, papers_new: 0, papers_updated: 0 };
    const first = await taken("");
    expect(first).toMatchObject({
      ...empty,
      reason: "works.bib has no entries.",
      round: 0,
      loop_state: null,
    });
    expect(first).not.toHaveProperty("fix_command");
    await taken(bibFile);
    writeFileSync(join(root, "equation.yml"), "equation:\n  query: alpha\n");
    expect(await taken("@misc{k3, author={Nobody}}\n")).toMatchObject({
      ...empty,
      reason: "The one entry of works.bib has no title.",
      skipped: [{ line: 1 }],
      total_papers: 2,
      round: 1,
      loop_state: "SEEDED",
      fix_command: "writ research seed --spec equation.yml",
    });
    expect(await rows("SELECT count(*) AS n FROM runs")).toEqual([{ n: 1 }]);
  });

  test("RL-165: a restore that is told nothing names the newest snapshot, wherever it is typed", async () => {
    const { ok, failure, app } = await openResearch({ works: alpha });
    expect(await failure("snapshot.restore")).toMatchObject({
      code: "E_MISSING_INPUT",
      remediation: "Make one of a library that has papers: writ research snapshot create",
    });
    await ok("seed", { equation: "alpha" });
    await ok("snapshot.create", { wait: 0 });
    const { remediation } = await failure("snapshot.restore");
    const [, line = ""] = /^Restore the newest: writ (.+)$/.exec(remediation) ?? [];
    const ran = await runLine(app.app, [...wordsOf(line), "--workspace", app.root, "--json"], {
      cwd: app.home,
    });
    expect(ran.envelope()).toMatchObject({ error: null, data: { papers_loaded: 4, papers_new: 0 } });
  });

  test("RL-44: seeds that the source does not know lead nowhere, and the loop stays where it is", async () => {
    const { ok, root, rows, fake } = await openResearch({ works: alpha });
    writeFileSync(join(root, "works.bib"), bibFile);
    await ok("seed", { from_bib: "works.bib" });
    for (const direction of ["both", "forward", "backward"])
      expect(await ok("chain", { direction })).toMatchObject({
        changed: false,
        run_id: null,
        candidates_found: 0,
        total_papers: 2,
        loop_state: "SEEDED",
        round: 1,
        reason: expect.stringMatching(/^0 of 2 /),
        fix_command: "writ research seed --resolve",
        usage: { requests: 0 },
      });
    expect(await rows("SELECT verb FROM runs")).toEqual([{ verb: "seed" }]);
    expect(fake.requests).toEqual([]);
  });
});
