import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { partNamed } from "../../packages/writ/src/research/seed/refused-part.ts";
import { alpha, bridge, bulk, resolvable, traps } from "../fakes/openalex/works.ts";
import { openResearch } from "./workspace.ts";

const paperOf = (id: string) =>
  `SELECT id, doi, abstract, language, type, source_id, is_seed, curation_status, year FROM papers WHERE source_id = '${id}'`;

const bibtex = `@article{k1, title={A {Study} of Things}, author={Diaz, Carla and Ruiz, Ana}, journal={J One}, year={2020}, doi={https://doi.org/10.7777/X.1}, keywords={alpha; beta, gamma}}
@inproceedings{k2, title={Conf paper}, author={Chen, Bo}, booktitle={Proc Two}, year={2021}}
@misc{k3, author={Nobody}}
`;

describe("seed", () => {
  test("RL-64, RL-66, RL-67, RL-85: a plain seed asks once and brings the works as they are told", async () => {
    const { ok, rows, fake, asked } = await openResearch({ works: alpha });
    expect(await ok("seed", { equation: "alpha" })).toMatchObject({
      source: "openalex",
      source_version: "2026-09-15",
      equation_id: expect.stringMatching(/^eq-\d{8}T\d{6}$/),
      executed_query: "title_and_abstract.search:(alpha)",
      papers_found: 4,
      papers_fetched: 4,
      papers_new: 4,
      papers_added: 4,
      papers_updated: 0,
      total_papers: 4,
      round: 1,
      loop_state: "SEEDED",
      reseeded: false,
      changed: true,
      skipped: [],
      usage: { requests: 1, from_store: 0, key_used: false },
    });
    expect(asked()).toBe(1);
    const { query } = fake.requests[0] ?? { query: {} as Record<string, string> };
    expect(query).toMatchObject({ per_page: "100", cursor: "*" });
    expect(query.select?.split(",")).toContain("abstract_inverted_index");
    expect(await rows(paperOf("W101"))).toMatchObject([
      {
        id: "doi:be5ab312c7aebbec",
        doi: "10.5555/a1",
        abstract: "Alpha Zeta",
        language: "en",
        is_seed: true,
        curation_status: "candidate",
      },
    ]);
    expect(await rows(paperOf("W103"))).toMatchObject([
      { id: "src:53951d1cb4b71667", language: "en", type: "review" },
    ]);
    expect(await rows("SELECT verb, state, source_version, equation_text FROM runs")).toEqual([
      { verb: "seed", state: "done", source_version: "2026-09-15", equation_text: "alpha" },
    ]);
  });

  test("RL-53: a preview translates and stops, outside any workspace too", async () => {
    const { app, fake } = await openResearch({ works: [] });
    const answer = await app.call(
      "research.seed",
      { equation: 'alpha OR "beta gamma"', exclude: ["delta"], min_year: 2010, preview: true },
      { where: { cwd: app.home }, base: app.home },
    );
    expect(answer.error).toBeNull();
    expect(answer.data).toMatchObject({
      preview: true,
      executed_query:
        'title_and_abstract.search:(alpha OR "beta gamma") AND NOT "delta",from_publication_date:2010-01-01',
      translation_report: [{ construct: "exclusion" }, { construct: "year" }],
      requests_planned: 1,
    });
    expect(answer.data).not.toHaveProperty("workspace");
    expect(existsSync(join(app.home, ".writ"))).toBe(false);
    expect(fake.requests).toEqual([]);
  });

  test("RL-84: wrong calls are refused before anything is asked", async () => {
    const { failure, fake, root } = await openResearch({ works: alpha });
    writeFileSync(join(root, "x.bib"), bibtex);
    writeFileSync(join(root, "bad.yml"), "equation:\n  query: alpha\n  max_result: 10\n");
    const of = async (input: Record<string, unknown>) => {
      const { exit_code, code, details } = await failure("seed", input);
      return { exit_code, code, details };
    };
    expect(await of({})).toMatchObject({ exit_code: 1, code: "E_MISSING_INPUT" });
    expect(await of({ equation: "alpha", spec: "equation.yml" })).toMatchObject({
      exit_code: 1,
      code: "E_CONFLICTING_INPUT",
      details: { inputs: ["--equation", "--spec"] },
    });
    expect(await of({ equation: "  " })).toMatchObject({ exit_code: 2, code: "E_EQUATION_EMPTY" });
    expect(await of({ from_bib: "x.bib", native: true })).toMatchObject({ exit_code: 1 });
    expect(await of({ from_bib: "x.bib", email: "a@b.c" })).toMatchObject({ code: "E_CONFLICTING_INPUT" });
    expect(await of({ from_bib: "missing.bib" })).toMatchObject({ exit_code: 2, code: "E_NOT_FOUND" });
    expect(await of({ equation: "(alpha" })).toMatchObject({
      exit_code: 2,
      code: "E_EQUATION_SYNTAX",
      details: { position: expect.any(Number) },
    });
    expect(await of({ spec: "bad.yml" })).toMatchObject({ exit_code: 2, code: "E_UNKNOWN_FIELD" });
    expect(fake.requests).toEqual([]);
  });

  test("RL-86: the same seed again costs nothing and keeps every decision; a refresh asks again", async () => {
    const { ok, rows, asked } = await openResearch({ works: alpha });
    await ok("seed", { equation: "alpha" });
    asked();
    const again = await ok("seed", { equation: "alpha" });
    expect(again).toMatchObject({
      reseeded: true,
      round: 2,
      total_papers: 4,
      papers_new: 0,
      loop_state: "SEEDED",
    });
    expect(again.usage).toMatchObject({ requests: 0, from_store: 1 });
    expect(asked()).toBe(0);
    expect(await ok("seed", { equation: "alpha", refresh: true })).toMatchObject({ round: 3, papers_new: 0 });
    expect(asked()).toBe(1);
    expect(await rows("SELECT count(*) AS n FROM papers WHERE active")).toEqual([{ n: 4 }]);
  });

  test("RL-42: works told twice are one, what has no title is listed, and what lacks parts is kept", async () => {
    const { call, rows } = await openResearch({ works: traps });
    const { data, warnings, error } = await call("seed", { equation: "trap" });
    expect(error).toBeNull();
    expect(data).toMatchObject({
      papers_new: 4,
      skipped: [{ where: "W405", reason: expect.any(String) }],
    });
    expect(warnings.map((one) => one.code)).toContain("W_RECORD_SKIPPED");
    expect(await rows(paperOf("W401"))).toMatchObject([{ id: "doi:08264e944675a853" }]);
    expect(await rows(`SELECT abstract, authors_raw, source FROM papers WHERE source_id = 'W406'`)).toEqual([
      { abstract: null, authors_raw: null, source: null },
    ]);
  });

  test("RL-76, RL-77: an estimate is one request and stores no paper", async () => {
    const { ok, fake, rows } = await openResearch({ works: alpha });
    await ok("seed", { equation: "bulk" });
    const { estimate, usage } = await ok("seed", { equation: "alpha", estimate: true });
    expect(estimate).toMatchObject({ results: 4, pages: 1, cost_usd: 0.001, assumed: false });
    expect(usage).toMatchObject({ requests: 1 });
    expect(fake.requests.at(-1)?.query).toMatchObject({ per_page: "1" });
    expect(await rows("SELECT count(*) AS n FROM papers")).toEqual([{ n: 0 }]);
  });

  test("RL-72, RL-74, RL-75, RL-78: over its limit a seed keeps its pages, changes nothing, and goes on later", async () => {
    const { failure, ok, rows, asked } = await openResearch({ works: bulk });
    const input = { equation: "bulk", max_results: 250 };
    const stopped = await failure("seed", { ...input, max_cost_usd: 0.002 });
    expect(stopped).toMatchObject({
      code: "E_BUDGET_EXCEEDED",
      exit_code: 2,
      data: { usage: { requests: 2, cost_usd: 0.002 } },
      details: {
        checkpoint: {
          pages_done: 2,
          records_kept: 200,
          resume: "writ research seed --equation bulk --max-results 250",
        },
      },
    });
    expect(asked()).toBe(2);
    expect(await rows("SELECT state FROM runs")).toEqual([{ state: "paused" }]);
    expect(await rows("SELECT count(*) AS n FROM papers")).toEqual([{ n: 0 }]);
    expect(await ok("seed", input)).toMatchObject({ papers_new: 250, round: 1, usage: { from_store: 2 } });
    expect(asked()).toBe(1);
    expect(await rows("SELECT state FROM runs")).toEqual([{ state: "done" }]);
  });

  test("RL-71, RL-76: a failure has its usage, its subcode and no paper", async () => {
    const { failure, fake, rows } = await openResearch({ works: alpha });
    fake.script({ status: 504, times: 3 });
    expect(await failure("seed", { equation: "alpha" })).toMatchObject({
      code: "NETWORK_ERROR",
      subcode: "UPSTREAM_TIMEOUT",
      exit_code: 4,
      retryable: false,
      data: { usage: { requests: 1, attempts: 3 } },
      details: { checkpoint: { pages_done: 0 } },
    });
    fake.script({ status: 500, times: 3 });
    expect(await failure("seed", { equation: "alpha" })).not.toHaveProperty("subcode");
    expect(await rows("SELECT count(*) AS n FROM runs")).toEqual([{ n: 1 }]);
  });

  test("RL-71: a refusal that names a part of the equation says where that stands", async () => {
    const { failure } = await openResearch({ works: alpha });
    const refused = await failure("seed", { equation: "type:review,foo_bar:7", native: true });
    expect(refused).toMatchObject({
      code: "NETWORK_ERROR",
      message: expect.stringContaining("foo_bar is not a valid field"),
      cause: expect.stringContaining('"foo_bar" stands at position 12 of the equation.'),
      details: { status: 400, position: 12, found: "foo_bar" },
    });
    expect(await failure("seed", { equation: "foo_bar:7", native: true, estimate: true })).toMatchObject({
      details: { position: 0 },
    });
    expect(partNamed('The term "alpha beta" is refused', 'x OR "alpha beta"')).toEqual({
      found: "alpha beta",
      position: 6,
    });
    // A common word of the message, or what stands there twice, is no place.
    expect(partNamed("Invalid query", "query expansion")).toBeUndefined();
    expect(partNamed("'a*' is refused", "a* OR a*")).toBeUndefined();
  });

  test("RL-62: neither key nor address is in an answer or in any file of the library", async () => {
    const { call, fake, root } = await openResearch({ works: alpha, env: { OPENALEX_API_KEY: "sekret" } });
    fake.script({ status: 400, body: { message: "Invalid query" } });
    const refused = await call("seed", { equation: "alpha", email: "a@b.c" });
    expect(refused).toMatchObject({
      exit_code: 4,
      error: { message: expect.stringContaining("Invalid query") },
    });
    const done = await call("seed", { equation: "alpha", email: "a@b.c" });
    expect(done.data.usage).toMatchObject({ key_used: true });
    expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer sekret",
      "Bearer sekret",
    ]);
    expect(JSON.stringify([refused, done])).not.toMatch(/sekret|a@b\.c/);
    expect(await bytesBelow(join(root, ".writ"))).not.toMatch(/sekret|a@b\.c/);
  });

  test("RL-65: an equation too long for an address is asked in parts, and their works are united", async () => {
    const { ok, fake } = await openResearch({ works: [...alpha, ...bridge] });
    const fillers = Array.from({ length: 400 }, (_, at) => `fillerword${at}`).join(" OR ");
    expect(await ok("seed", { equation: `alpha OR ${fillers} OR bridge` })).toMatchObject({ papers_new: 10 });
    expect(fake.requests.length).toBeGreaterThan(1);
    for (const { url } of fake.requests) expect(url.length).toBeLessThanOrEqual(4094);
    expect(await ok("seed", { equation: `alpha OR ${fillers} OR bridge`, max_results: 7 })).toMatchObject({
      papers_fetched: 7,
    });
  });

  test("RL-62: a credential is withheld from an address that is not its service's", async () => {
    const { call } = await openResearch({
      works: [],
      env: { OPENALEX_API_KEY: "k", WRIT_OPENALEX_URL: "https://openalex.example" },
    });
    const { warnings, error } = await call("seed", { equation: "alpha", offline: true });
    expect(error).toMatchObject({ code: "E_OFFLINE_MISS", exit_code: 4, details: { missing: 1 } });
    expect(warnings.map((one) => one.code)).toContain("W_CREDENTIAL_WITHHELD");
  });

  test("RL-73: a machine that is said to be offline asks nobody", async () => {
    const { failure, fake } = await openResearch({ works: alpha, env: { WRIT_OFFLINE: "1" } });
    expect(await failure("seed", { equation: "alpha" })).toMatchObject({
      code: "E_OFFLINE_MISS",
      remediation: expect.stringContaining("writ research seed --equation alpha"),
    });
    expect(fake.requests).toEqual([]);
  });

  test("RL-65: without a key a seed goes on by pages where a cursor is refused", async () => {
    const { call } = await openResearch({ works: alpha, behaviour: { cursorNeedsKey: true } });
    const { data, warnings } = await call("seed", { equation: "alpha" });
    expect(data).toMatchObject({ papers_new: 4 });
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: "W_KEYLESS", remediation: "writ key set OPENALEX_API_KEY" }),
    );
  });

  test("RL-53: a rehearsal asks nobody and changes nothing", async () => {
    const { ok, fake, root } = await openResearch({ works: alpha });
    expect(await ok("seed", { equation: "alpha", dry_run: true })).toMatchObject({
      dry_run: true,
      changed: false,
      papers_new: null,
      executed_query: "title_and_abstract.search:(alpha)",
    });
    expect(fake.requests).toEqual([]);
    expect(existsSync(join(root, ".writ", "research"))).toBe(false);
  });

  test("RL-164: a seed that is given up is paused and goes on where it was", async () => {
    const { call, ok, fake, rows } = await openResearch({ works: bulk });
    const controller = new AbortController();
    fake.script({ match: ({ query }) => query.cursor !== "*", reached: () => controller.abort() });
    const input = { equation: "bulk", max_results: 250 };
    expect((await call("seed", input, controller.signal)).error).toMatchObject({ code: "E_CANCELLED" });
    expect(await rows("SELECT state FROM runs")).toEqual([{ state: "paused" }]);
    expect(await ok("seed", input)).toMatchObject({ papers_new: 250, usage: { from_store: 1, requests: 2 } });
  });
});

describe("seed from a file", () => {
  test("RL-85: an import needs no request and says what is in the file", async () => {
    const { ok, root, fake, rows } = await openResearch({ works: [] });
    writeFileSync(join(root, "works.bib"), bibtex);
    expect(await ok("seed", { from_bib: "works.bib" })).toMatchObject({
      format: "bibtex",
      entries: 3,
      papers_new: 2,
      round: 1,
      loop_state: "SEEDED",
      skipped: [{ line: 3 }],
    });
    expect(fake.requests).toEqual([]);
    expect(await rows("SELECT id, authors_raw, source FROM papers WHERE doi IS NOT NULL")).toEqual([
      { id: "doi:c74d3bb2add00fb7", authors_raw: ["Diaz, Carla", "Ruiz, Ana"], source: "J One" },
    ]);
  });

  test("RL-83: DOIs are looked up with the import, or later with the same result", async () => {
    const together = await openResearch({ works: resolvable });
    writeFileSync(join(together.root, "works.bib"), bibtex);
    expect(await together.ok("seed", { from_bib: "works.bib", resolve: true })).toMatchObject({
      resolve: { resolved: 1, total_with_doi: 1, already_resolved: 0, total_papers: 2 },
      usage: { requests: 1 },
    });
    const papers = "SELECT id, source_id, is_seed, hop, title FROM papers WHERE active ORDER BY id";
    expect(await together.rows(`SELECT source_id, is_seed FROM papers WHERE doi = '10.7777/x.1'`)).toEqual([
      { source_id: "W700", is_seed: true },
    ]);
    const later = await openResearch({ works: resolvable });
    writeFileSync(join(later.root, "works.bib"), bibtex);
    await later.ok("seed", { from_bib: "works.bib" });
    const before = await later.rows("SELECT state, round FROM loop_state_log");
    expect(await later.ok("seed", { resolve: true })).toMatchObject({ resolve: { resolved: 1 } });
    expect(await later.rows("SELECT state, round FROM loop_state_log")).toEqual(before);
    expect(await later.rows(papers)).toEqual(await together.rows(papers));
    expect(await later.ok("seed", { resolve: true })).toMatchObject({
      changed: false,
      resolve: { resolved: 0, already_resolved: 1 },
    });
  });

  test("RL-80: a file that cannot be read names what it looks like, or who can write it anew, and never itself", async () => {
    const { failure, root } = await openResearch({ works: [] });
    writeFileSync(join(root, "my works.txt"), "TY  - JOUR\nTI  - X\nER  - \n");
    expect(await failure("seed", { from_bib: "my works.txt" })).toMatchObject({
      code: "E_PARSE",
      remediation: "It looks like ris: writ research seed --from-file 'my works.txt'",
    });
    writeFileSync(join(root, "notes.txt"), "nothing of the kind\n");
    expect(await failure("seed", { from_file: "notes.txt" })).toMatchObject({
      code: "E_FORMAT_UNKNOWN",
      remediation: expect.stringContaining("writ research seed --from-file notes.txt --format bibtex"),
    });
    const { code, remediation } = await failure("seed", { from_file: "notes.txt", format: "bibtex" });
    expect([code, remediation]).toEqual(["E_PARSE", expect.not.stringContaining("--from-")]);
  });

  test("RL-40: a DOI that is answered with another DOI's work stays a paper of its own, unresolved", async () => {
    const { ok, root, rows } = await openResearch({
      works: [{ id: "W2", doi: "10.5555/new,1", title: "Heir", year: 2020, formerly: ["doi:10.5555/old,1"] }],
    });
    writeFileSync(join(root, "old.ris"), "TY  - JOUR\nTI  - Heir\nPY  - 2020\nDO  - 10.5555/old,1\nER  - \n");
    expect(await ok("seed", { from_file: "old.ris", resolve: true })).toMatchObject({
      resolve: { resolved: 0, total_with_doi: 1 },
      total_papers: 1,
    });
    expect(await rows("SELECT doi, source_id FROM papers WHERE active")).toEqual([
      { doi: "10.5555/old,1", source_id: null },
    ]);
  });

  test("RL-75: an import stands although its look-up fails, and a warning says how to fill it", async () => {
    const { call, root, fake } = await openResearch({ works: resolvable });
    writeFileSync(join(root, "works.bib"), bibtex);
    fake.script({ status: 500, times: 3 });
    const { data, warnings, error } = await call("seed", { from_bib: "works.bib", resolve: true });
    expect(error).toBeNull();
    expect(data).toMatchObject({ papers_new: 2, resolve: null, usage: { attempts: 3 } });
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: "W_PHASE_SKIPPED", remediation: "writ research seed --resolve" }),
    );
  });
});

async function bytesBelow(folder: string): Promise<string> {
  const { readdirSync, readFileSync, statSync } = await import("node:fs");
  const { gunzipSync } = await import("node:zlib");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) =>
      (path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString("latin1"),
    )
    .join("\n");
}
