import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { curationColumns } from "../../packages/writ/src/research/formats/curation-csv.ts";
import { decidePapers } from "../../packages/writ/src/research/curate/decide-papers.ts";
import { libraryFiles } from "../../packages/writ/src/research/library/file-store.ts";
import { readLibrary } from "../../packages/writ/src/research/library/use.ts";
import { alpha } from "../fakes/openalex/works.ts";
import { testContext } from "../support/context.ts";
import { openResearch, type Research, seededOnce } from "./workspace.ts";
import { bibFile } from "./files.ts";

const statuses = "SELECT source_id, curation_status FROM papers WHERE active ORDER BY source_id";

function readCsv(root: string, file = join(".writ", "research", "exports", "curation.csv")) {
  return parse(readFileSync(join(root, file)), { columns: true }) as Record<string, string>[];
}

describe("curate", () => {
  const seeded = seededOnce(alpha, "alpha");
  let followed: Research | undefined;
  beforeAll(async () => {
    followed = await openResearch({ works: alpha, closes: false });
    await followed.ok("seed", { equation: "alpha" });
    await followed.ok("chain", { direction: "forward" });
  });
  afterAll(() => followed?.close());
  const chained = () => openResearch({ works: alpha, ...(followed && { from: followed.root }) });

  test("RL-101: papers are named all or none, once each, and a decision that stands is no change", async () => {
    const { ok, failure, rows } = await seeded();
    const before = await rows(statuses);
    expect(await failure("curate.accept", { ids: ["10.5555/a1", "W104", "nope"] })).toMatchObject({
      code: "E_NOT_FOUND",
      exit_code: 2,
      details: { missing: ["nope"] },
    });
    expect(await rows(statuses)).toEqual(before);
    const named = { ids: ["https://doi.org/10.5555/A1", "W104", "10.5555/a1"] };
    expect(await ok("curate.accept", named)).toMatchObject({
      accepted_count: 2,
      ids: ["doi:be5ab312c7aebbec", expect.stringMatching(/^doi:/)],
      changed: true,
      run_id: expect.stringMatching(/^rr_/),
    });
    expect(await ok("curate.accept", named)).toMatchObject({
      changed: false,
      run_id: null,
      accepted_count: 2,
    });
    expect(await rows("SELECT count(*) AS n FROM decisions")).toEqual([{ n: 2 }]);
    expect(await ok("curate.reject", { ids: ["W104"], reason: "off topic", note: "later" })).toMatchObject({
      rejected_count: 1,
    });
    expect(await rows(statuses)).toMatchObject([
      { source_id: "W101", curation_status: "accepted" },
      { source_id: "W102", curation_status: "candidate" },
      { source_id: "W103", curation_status: "candidate" },
      { source_id: "W104", curation_status: "rejected" },
    ]);
    expect((await ok("status")).loop_state).toBe("SEEDED");
    const many = Array.from({ length: 10_001 }, (_, at) => `W${at}`);
    expect(await failure("curate.accept", { ids: many })).toMatchObject({
      code: "E_LIMIT",
      exit_code: 2,
      details: { limit: 10_000, found: 10_001 },
    });
  });

  test("RL-101: whose decision it is only the local user may say", async () => {
    const { app, ok, rows } = await seeded();
    await ok("curate.accept", { ids: ["W101"], by: "Bo Chen" });
    await ok("curate.accept", { ids: ["W102"] });
    const answer = await app.call(
      "research.curate.accept",
      { ids: ["W103"], by: "Bo Chen" },
      { surface: "http" },
    );
    expect(answer.error).toBeNull();
    const names = await rows<{ by: string }>('SELECT "by" FROM decisions ORDER BY seq');
    expect(names[0]?.by).toBe("Bo Chen");
    expect(names[1]?.by).toMatch(/^user:/);
    expect(names[2]?.by).not.toBe("Bo Chen");
  });

  test("RL-170: what an agent decides has the agent's name and its run, and nothing that it says changes that", async () => {
    const { app, ok, rows } = await seeded({ env: { WRIT_ACTOR: "client:coder" } });
    await ok("curate.accept", { ids: ["W101"], by: "Bo Chen" });
    writeFileSync(join(app.root, "filled.csv"), "id,decision\nW102,rejected\n");
    await ok("curate.apply", { file: "filled.csv", by: "Bo Chen" });
    const librarian = { actor: "agent:librarian", role: "agent" as const, acts_for: "user:ana" };
    const ctx = { ...testContext({ root: app.root, stores: [libraryFiles] }), caller: librarian };
    await decidePapers(ctx, { ids: ["W103"], by: "Bo Chen", wait: 5 }, "accepted");
    expect(
      await rows(`SELECT d."by", r.actor, r.acts_for, r.agent_run, r.run_id = d.run_id AS own
        FROM decisions d JOIN runs r USING (run_id) ORDER BY d.seq`),
    ).toEqual(
      [
        ...["client:coder", "client:coder"].map((by) => ({ by, actor: by, acts_for: "user:ana" })),
        { by: "agent:librarian", actor: "agent:librarian", acts_for: "user:ana" },
      ].map((one) => ({ ...one, agent_run: null, own: true })),
    );
    const naming = /^(actor|acts_for|agent|agent_run|decided_by|by)$/;
    const claiming = app.app.commands.rows
      .filter(({ id, mutates }) => mutates && id.startsWith("research."))
      .flatMap(({ id, flags }) =>
        flags.filter(({ field }) => naming.test(field)).map(({ field }) => `${id} ${field}`),
      );
    // `by` is the local person's alone, as above.
    expect(claiming).toEqual(["accept", "apply", "reject"].map((verb) => `research.curate.${verb} by`));
  });

  test("RL-102: a decision by hand beats a filter, before it and after it", async () => {
    const { ok, rows } = await seeded();
    await ok("curate.accept", { ids: ["W104"] });
    const filtered = await ok("curate.filter", { year_gte: 2010 });
    expect(filtered.steps).toMatchObject([{ count_before: 4, count_after: 4, excluded: 0, protected: 1 }]);
    await ok("curate.filter", { type: ["review"] });
    await ok("curate.accept", { ids: ["W101"] });
    expect(await rows(statuses)).toMatchObject([
      { curation_status: "accepted" },
      { curation_status: "rejected" },
      { curation_status: "candidate" },
      { curation_status: "accepted" },
    ]);
  });

  test("RL-103: a dump holds what is asked for, and nothing replaces a file somebody has edited", async () => {
    const { ok, root } = await chained();
    const dumped = await ok("curate.dump");
    expect(dumped).toMatchObject({ rows: 4, changed: true, file: ".writ/research/exports/curation.csv" });
    const lines = readFileSync(join(root, dumped.file as string), "utf8");
    expect(lines.startsWith(`${curationColumns.join(",")}\n`)).toBe(true);
    expect(lines).not.toContain("\r");
    // By scent, then by id: a paper with a DOI comes before one without.
    expect(readCsv(root).map((row) => [row.source_id, row.scent_score, row.decision, row.authors])).toEqual([
      ["W202", "3", "undecided", "Eva Fink"],
      ["W201", "2", "undecided", "Eva Fink"],
      ["W204", "1", "undecided", "Eva Fink"],
      ["W203", "1", "undecided", "Eva Fink"],
    ]);
    expect(await ok("curate.dump")).toMatchObject({ changed: false, rows: 4 });
    expect(await ok("curate.dump", { scope: "seeds" })).toMatchObject({
      rows: 4,
      kept: expect.stringMatching(/bak-1$/),
    });
    expect(await ok("curate.dump", { scope: "all" })).toMatchObject({
      rows: 8,
      kept: expect.stringMatching(/bak-2$/),
    });
    const all = new Map(readCsv(root).map((row) => [row.source_id, row]));
    expect(all.get("W202")).toMatchObject({ references_count: "3", scent_score: "3", is_seed: "False" });
    expect(all.get("W101")).toMatchObject({
      cited_by_count: "12",
      abstract: "Alpha Zeta",
      is_seed: "True",
      authors: "Ana Ruiz | Bo Chen",
      openalex_url: "https://openalex.org/W101",
      cluster: "",
      venue: "J. Tests",
    });
    expect((await ok("status")).loop_state).toBe("FORAGED");
  });

  test("RL-103: only a file makes room for a dump", async () => {
    const { ok, failure, root } = await seeded();
    mkdirSync(join(root, "notes"));
    for (const out of ["notes", ".", "notes/.."])
      expect(await failure("curate.dump", { out })).toMatchObject({ code: "E_EXISTS" });
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await failure("curate.dump", { out: "pipe" })).toMatchObject({ code: "E_EXISTS" });
    expect(readdirSync(root).filter((name) => name.startsWith("pipe"))).toEqual(["pipe"]);
    expect(await ok("curate.dump", { out: "notes/../mine.csv" })).toMatchObject({ file: "mine.csv" });
  });

  test("RL-103: where a dump cannot be recorded, the file that stands is left where it is", async () => {
    const { failure, ok, root } = await seeded();
    await ok("curate.dump", { scope: "all", out: "mine.csv" });
    writeFileSync(join(root, "mine.csv"), "id,decision\nW101,accepted\n");
    const done = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const reading = readLibrary(testContext({ root }), () => {
      begun.resolve();
      return done.promise;
    });
    await begun.promise;
    for (const [verb, input] of [
      ["curate.dump", { scope: "all", out: "mine.csv", wait: 0 }],
      ["export", { format: "ris", out_dir: "out", wait: 0 }],
    ] as const)
      expect(await failure(verb, input)).toMatchObject({ code: "E_STORE_LOCKED" });
    done.resolve();
    await reading;
    expect(readFileSync(join(root, "mine.csv"), "utf8")).toContain("W101,accepted");
    expect(readdirSync(root).filter((name) => /mine|out/.test(name))).toEqual(["mine.csv"]);
  });

  test("RL-103: an empty selection is a header and says why", async () => {
    const { ok, root } = await seeded();
    expect(await ok("curate.dump")).toMatchObject({
      rows: 0,
      reason: expect.stringContaining("0 rows"),
      fix_command: "writ research curate dump --scope all",
    });
    expect(readFileSync(join(root, ".writ/research/exports/curation.csv"), "utf8")).toBe(
      `${curationColumns.join(",")}\n`,
    );
  });

  test("RL-105: what somebody filled in is applied, however their program writes it", async () => {
    const { ok, root, rows } = await chained();
    await ok("curate.dump");
    const words: Record<string, string> = {
      W201: "accepted",
      W202: " Rejected ",
      W203: "undecided",
      W204: "",
    };
    const lines = readCsv(root).map((row) => `${row.id},${words[row.source_id ?? ""]}`);
    const file = join(root, "filled.csv");
    writeFileSync(file, `\ufeffid,decision\r\n${lines.join("\r\n")}\r\ndoi:ffffffffffffffff,accepted\r\n`);
    expect(await ok("curate.apply", { file })).toMatchObject({
      accepted_count: 1,
      rejected_count: 1,
      skipped_count: 2,
      not_found_count: 1,
      total_rows: 5,
      not_found: ["doi:ffffffffffffffff"],
      notes_count: 0,
      changed: true,
    });
    expect((await ok("status")).loop_state).toBe("FORAGED");
    expect(await ok("curate.apply", { file })).toMatchObject({ changed: false, accepted_count: 1 });
    writeFileSync(file, "note;decision;doi\nsee page 3;accepted;https://doi.org/10.5555/A2\n");
    expect(await ok("curate.apply", { file })).toMatchObject({ accepted_count: 1, notes_count: 1 });
    expect(await rows("SELECT curation_status FROM papers WHERE source_id = 'W102'")).toEqual([
      { curation_status: "accepted" },
    ]);
    await ok("curate.dump", { scope: "all" });
    expect(readCsv(root).find((row) => row.source_id === "W102")).toMatchObject({
      note: "see page 3",
      decision: "accepted",
    });
  });

  test("RL-105: a wrong word or a contradiction applies nothing, and its lines are named", async () => {
    const { ok, failure, root, rows } = await seeded();
    const file = join(root, "wrong.csv");
    const before = await rows("SELECT count(*) AS n FROM decisions");
    writeFileSync(file, "id,decision\nW101,accepted\nW102,maybe\n");
    expect(await failure("curate.apply", { file })).toMatchObject({
      code: "E_CSV_DECISION",
      details: { lines: [3] },
    });
    writeFileSync(file, "source_id,decision\nW101,accepted\n\nW102,\nW101,rejected\n");
    expect(await failure("curate.apply", { file })).toMatchObject({
      code: "E_CSV_CONFLICT",
      details: { lines: [2, 5] },
    });
    writeFileSync(file, "title,decision\nx,accepted\n");
    expect(await failure("curate.apply", { file })).toMatchObject({ code: "DATA_ERROR", exit_code: 2 });
    expect(await failure("curate.apply", { file: join(root, "none.csv") })).toMatchObject({
      code: "E_NOT_FOUND",
    });
    expect(await rows("SELECT count(*) AS n FROM decisions")).toEqual(before);
    writeFileSync(file, 'id,note,decision\nW101,"two\nlines",accepted\nW102,x,maybe\n');
    expect(await failure("curate.apply", { file })).toMatchObject({ details: { lines: [4] } });
    expect(await ok("status")).toMatchObject({ loop_state: "SEEDED" });
  });

  test("RL-104: a cell that a spreadsheet would run is guarded, and comes back as it was", async () => {
    const { ok, root } = await openResearch({ works: [] });
    writeFileSync(join(root, "odd.ris"), "TY  - JOUR\nTI  - =1+1\nAB  - '@x\nN1  - WRIT_note: -3\nER  - \n");
    await ok("seed", { from_file: join(root, "odd.ris") });
    await ok("curate.dump", { scope: "all" });
    const file = join(root, ".writ/research/exports/curation.csv");
    const [row] = readCsv(root);
    expect(row).toMatchObject({ title: "'=1+1", abstract: "''@x", note: "'-3" });
    expect(await ok("curate.apply", { file })).toMatchObject({ changed: false, notes_count: 0 });
  });

  test("RL-106, RL-108: filters run in order, reject and keep a log", async () => {
    const { ok, rows, failure, root } = await seeded();
    const filtered = await ok("curate.filter", { year_gte: 2010, language: ["en-US"] });
    expect(filtered).toMatchObject({
      steps: [
        {
          name: "filter:year",
          criteria: "year:gte:2010",
          count_before: 4,
          count_after: 3,
          excluded: 1,
          no_data: 0,
        },
        { name: "filter:language", criteria: "language:in:en", count_before: 3, count_after: 3, excluded: 0 },
      ],
      total_papers: 4,
      criteria_applied: ["year:gte:2010", "language:in:en"],
      loop_state: "FILTERED",
      round: 1,
    });
    expect(await rows("SELECT reason, kind FROM decisions")).toEqual([
      { reason: "filter:year:gte:2010", kind: "filter" },
    ]);
    // A file that nobody has edited decides nothing: what a filter rejected stays the filter's.
    await ok("curate.dump", { scope: "all" });
    const file = join(root, ".writ/research/exports/curation.csv");
    expect(await ok("curate.apply", { file })).toMatchObject({ rejected_count: 1, changed: false });
    await ok("curate.filter", { year_lte: 2020 });
    expect(
      await rows("SELECT name, count_before, count_after FROM filter_log ORDER BY run_id, step"),
    ).toMatchObject([
      { name: "filter:year", count_before: 4, count_after: 3 },
      { name: "filter:language" },
      { name: "filter:year", count_before: 3, count_after: 2 },
    ]);
    expect(await failure("curate.filter")).toMatchObject({ code: "E_NO_CRITERION", exit_code: 2 });
    // Nobody wants all papers rejected for a slip of the pen.
    expect(await failure("curate.filter", { language: ["Englsh"] })).toMatchObject({
      code: "E_INVALID_VALUE",
    });
  });

  test("RL-106: by type and by citations", async () => {
    const { ok, rows } = await seeded();
    const left = async () =>
      (
        await rows<{ source_id: string }>(
          "SELECT source_id FROM papers WHERE active AND curation_status <> 'rejected' ORDER BY 1",
        )
      ).map((row) => row.source_id);
    const { run_id } = await ok("curate.filter", { type: ["review"] });
    expect(await left()).toEqual(["W103"]);
    await ok("curate.undo", { run: run_id });
    expect(await left()).toHaveLength(4);
    await ok("curate.filter", { min_citations: 5 });
    expect(await left()).toEqual(["W101", "W102"]);
  });

  test("RL-107: what is not known passes and is counted, unless it is told to fail", async () => {
    const { ok, call, root } = await seeded();
    writeFileSync(join(root, "works.bib"), bibFile);
    await ok("seed", { from_bib: join(root, "works.bib") });
    const filtered = await ok("curate.filter", { language: ["en"] });
    expect(filtered.steps).toMatchObject([{ count_before: 6, count_after: 5, no_data: 2 }]);
    const strict = await ok("curate.filter", { language: ["en"], missing: "exclude" });
    expect(strict.steps).toMatchObject([{ count_before: 5, count_after: 3, no_data: 2, excluded: 2 }]);
    const retracted = await call("curate.filter", { exclude_retracted: true });
    expect(retracted.data.steps).toMatchObject([
      { count_before: 3, no_data: expect.any(Number), excluded: 0 },
    ]);
  });

  test("RL-11: a rehearsal decides nothing and makes no file", async () => {
    const { app, ok, rows, root } = await seeded();
    const rehearse = (verb: string, input: Record<string, unknown>) =>
      app.call(`research.curate.${verb}`, input, { dryRun: true });
    expect((await rehearse("accept", { ids: ["W101"] })).data).toMatchObject({ dry_run: true, run_id: null });
    expect((await rehearse("filter", { year_gte: 2020 })).data).toMatchObject({
      dry_run: true,
      run_id: null,
      steps: [{ count_before: 4, count_after: 2 }],
    });
    expect((await rehearse("dump", { scope: "all" })).data).toMatchObject({ dry_run: true, rows: 4 });
    expect(existsSync(join(root, ".writ/research/exports/curation.csv"))).toBe(false);
    expect(await rows("SELECT count(*) AS n FROM decisions")).toEqual([{ n: 0 }]);
    expect((await ok("status")).loop_state).toBe("SEEDED");
  });
});
