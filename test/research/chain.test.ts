import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sinceOf } from "../../packages/writ/src/research/chain/since.ts";
import { idOf } from "../../packages/writ/src/research/library/identity.ts";
import { alpha, bulk, laterCiter } from "../fakes/openalex/works.ts";
import { openResearch, type Research, seededOnce } from "./workspace.ts";

/** The library of the cases: alpha, seeded. */
const seeded = seededOnce(alpha, "alpha");

const ranking = (data: Record<string, unknown>) =>
  (data.ranking_preview as { id: string; scent: number }[]).map(({ id, scent }) => `${id}:${scent}`);
const filters = ({ fake }: Research) => fake.requests.map(({ query }) => query.filter ?? "");
const papers = `SELECT source_id, is_seed, curation_status, hop FROM papers WHERE active ORDER BY source_id`;

describe("forward", () => {
  test("RL-88, RL-90, RL-92: citing works are ranked and enter as candidates", async () => {
    const research = await seeded();
    const data = await research.ok("chain", { direction: "forward" });
    expect(ranking(data)).toEqual(["W202:3", "W201:2", "W203:1", "W204:1"]);
    expect(data).toMatchObject({
      candidates_found: 4,
      new_candidates: 4,
      total_papers: 8,
      loop_state: "FORAGED",
      round: 1,
      ranking_preview: [{ title: "Citer two", scent_norm: 0.75, backward: 0, forward: 3 }, {}, {}, {}],
    });
    expect(filters(research)[0]).toBe("cites:W101|W102|W103|W104");
    expect(await research.rows(`${papers.replace("source_id", "source_id, id")}`)).toMatchObject([
      ...["W101", "W102", "W103", "W104"].map((source_id) => ({ source_id, is_seed: true, hop: 0 })),
      ...["W201", "W202", "W203", "W204"].map((source_id) => ({
        source_id,
        is_seed: false,
        curation_status: "candidate",
        hop: 1,
      })),
    ]);
    expect(
      await research.rows(
        "SELECT id, cited_by_id FROM papers WHERE source_id IN ('W101', 'W203') ORDER BY source_id",
      ),
    ).toEqual([
      { id: "doi:be5ab312c7aebbec", cited_by_id: ["W201", "W202"] },
      { id: "src:89c750d27acab1a5", cited_by_id: [] },
    ]);
  });

  describe("a citer that is a seed already", () => {
    const bibtex = "@article{c, title={Citer one}, year={2022}, doi={10.5555/c1}}\n";
    const known = "SELECT source_id, is_seed FROM papers WHERE active AND doi = '10.5555/c1'";

    test("RL-92: stays one and gains the source's id", async () => {
      const research = await seeded();
      writeFileSync(join(research.root, "c.bib"), bibtex);
      await research.ok("seed", { from_bib: "c.bib" });
      const data = await research.ok("chain", { direction: "forward", resolve_refs: false });
      expect(ranking(data)).toEqual(["W202:3", "W203:1", "W204:1"]);
      expect(await research.rows(known)).toEqual([{ source_id: "W201", is_seed: true }]);
    });

    test("RL-92: becomes one when the file comes later", async () => {
      const research = await seeded();
      await research.ok("chain", { direction: "forward", resolve_refs: false });
      writeFileSync(join(research.root, "c.bib"), bibtex);
      await research.ok("seed", { from_bib: "c.bib" });
      expect(await research.rows(known)).toEqual([{ source_id: "W201", is_seed: true }]);
    });
  });

  test("RL-91: the budget decides which citers are kept, and counts every seed they cite", async () => {
    const research = await seeded();
    const data = await research.ok("chain", { direction: "forward", max_citing: 1 });
    // W201 fills W101 and W102; W202 still has room at W103, and counts for all three.
    expect(ranking(data)).toEqual(["W202:3", "W201:2", "W204:1"]);
  });
});

describe("both ways", () => {
  test("RL-88, RL-95: what is cited and what cites are one ranking", async () => {
    const data = await (await seeded()).ok("chain");
    expect(ranking(data)).toEqual([
      "W202:3",
      "W903:3",
      "W201:2",
      "W902:2",
      "W203:1",
      "W204:1",
      "W901:1",
      "W904:1",
      "W905:1",
      "W999:1",
    ]);
    expect(data).toMatchObject({
      candidates_found: 10,
      new_candidates: 4,
      observed_refs_count: 6,
      enrichment: { refs_resolved: 5, refs_total_unique: 10 },
    });
  });

  test("RL-93, RL-97: the same again asks nobody and finds what is left", async () => {
    const research = await seeded();
    await research.ok("chain");
    research.asked();
    const data = await research.ok("chain");
    expect(ranking(data).slice(0, 2)).toEqual(["W902:3", "W903:3"]);
    expect(data).toMatchObject({
      candidates_found: 6,
      new_candidates: 0,
      total_papers: 8,
      saturation: 0,
      enrichment: { refs_total_unique: 10 },
      usage: { requests: 0 },
    });
    expect(research.asked()).toBe(0);
  });

  test("RL-90, RL-93: works are asked for in groups, sorted, within what the service takes", async () => {
    const research = await openResearch({ works: bulk });
    await research.ok("seed", { equation: "bulk", max_results: 120 });
    research.asked();
    await research.ok("chain");
    const sizes = (of: string) =>
      research.fake.requests
        .map(({ query }) => query.filter ?? "")
        .filter((filter) => filter.startsWith(of))
        .map((filter) => filter.slice(of.length).split("|"));
    expect(
      sizes("cites:")
        .map((ids) => ids.length)
        .sort((a, b) => a - b),
    ).toEqual([20, 50, 50]);
    expect(
      sizes("openalex_id:")
        .map((ids) => ids.length)
        .sort((a, b) => a - b),
    ).toEqual([21, 100]);
    for (const ids of [...sizes("cites:"), ...sizes("openalex_id:")]) expect(ids).toEqual([...ids].sort());
    for (const { url } of research.fake.requests) expect(url.length).toBeLessThanOrEqual(4094);
  });
});

describe("backward", () => {
  test("RL-89: references are ranked without a request, and the ranking can be cut", async () => {
    const research = await seeded();
    const data = await research.ok("chain", {
      direction: "backward",
      max_candidates: 3,
      resolve_refs: false,
    });
    expect(ranking(data)).toEqual(["W903:3", "W902:2", "W901:1"]);
    expect(data).toMatchObject({ candidates_found: 3, new_candidates: 0, loop_state: "FORAGED" });
    expect(research.asked()).toBe(0);
    expect(await research.rows("SELECT count(*) AS n FROM referenced_but_not_fetched")).toEqual([{ n: 6 }]);
  });

  test("RL-89: the best cited works are brought in by id, and misses are listed", async () => {
    const research = await seeded();
    const data = await research.ok("chain", { direction: "backward", fetch_top: 3 });
    expect(data).toMatchObject({
      fetched: { asked: 3, found: 2, missing: ["W901"] },
      new_candidates: 2,
    });
    expect(
      await research.rows(
        "SELECT id, source_id, hop, is_seed FROM papers WHERE source_id >= 'W9' ORDER BY source_id",
      ),
    ).toEqual([
      { id: idOf("doi", "10.5555/r2"), source_id: "W902", hop: 1, is_seed: false },
      { id: idOf("doi", "10.5555/r3"), source_id: "W903", hop: 1, is_seed: false },
    ]);
  });

  test("RL-94: deeper steps start from what the last one brought, and need --fetch-top", async () => {
    const research = await seeded({
      works: [
        ...alpha.filter(({ id }) => id !== "W903"),
        { id: "W903", title: "Ref three", year: 2002, references: ["W950"] },
        { id: "W950", title: "Deep one", year: 1990, references: ["W960"] },
        { id: "W960", title: "Deeper one", year: 1980 },
      ],
    });
    expect(await research.failure("chain", { depth: 2 })).toMatchObject({
      code: "E_CONFLICTING_INPUT",
      exit_code: 1,
    });
    await research.ok("chain", { direction: "backward", depth: 3, fetch_top: 2 });
    expect(await research.rows("SELECT source_id, hop FROM papers WHERE hop > 0 ORDER BY source_id")).toEqual(
      [
        { source_id: "W902", hop: 1 },
        { source_id: "W903", hop: 1 },
        { source_id: "W950", hop: 2 },
        { source_id: "W960", hop: 3 },
      ],
    );
  });

  test("RL-75: the look-up of references may fail without taking the candidates back", async () => {
    const research = await seeded();
    research.fake.script({ match: ({ query }) => query.select === "id,doi", status: 500, times: 3 });
    const { data, warnings, error } = await research.call("chain");
    expect(error).toBeNull();
    expect(data).toMatchObject({ new_candidates: 4, enrichment: null });
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: "W_PHASE_SKIPPED", remediation: "writ research chain" }),
    );
    expect(await research.ok("chain")).toMatchObject({
      enrichment: { refs_resolved: 5, refs_total_unique: 10 },
    });
  });
});

describe("monitoring", () => {
  test("RL-98, RL-99: only what was published since is asked for, and is told as references", async () => {
    const research = await seeded();
    const data = await research.ok("chain", { since: "2023-01-01" });
    expect(filters(research).find((one) => one.startsWith("cites:"))).toContain(
      "from_publication_date:2023-01-01",
    );
    expect(data).toMatchObject({
      since: "2023-01-01",
      total_papers: 6,
      loop_state: "MONITORED",
      round: 1,
      new_total: 2,
      new: [
        {
          ref: expect.stringMatching(/^paper:doi:/),
          title: "Citer two",
          year: 2023,
          scent: 3,
          why: "cites 3 seeds",
        },
        { ref: "paper:src:89c750d27acab1a5", title: "Citer three", scent: 1 },
      ],
    });
  });

  test("RL-98: times before now are days, months of 30 and years of 365", () => {
    const now = Date.parse("2026-06-30T12:00:00Z");
    expect(["90d", "2m", "1y"].map((one) => sinceOf(one, now, null))).toEqual([
      "2026-04-01",
      "2026-05-01",
      "2025-06-30",
    ]);
    expect(sinceOf("last", now, new Date("2026-06-30T00:00:00Z"))).toBe("2026-05-31");
    expect(sinceOf("last", now, null)).toBeUndefined();
    for (const wrong of ["tomorrow", "2023-13-01", "3w", ""])
      expect(() => sinceOf(wrong, now, null)).toThrow(/USAGE_ERROR/);
  });

  test("RL-98: what makes no sense is refused", async () => {
    const research = await seeded();
    expect(await research.failure("chain", { since: "tomorrow" })).toMatchObject({ exit_code: 1 });
    expect(await research.failure("chain", { since: "2023-01-01", direction: "backward" })).toMatchObject({
      exit_code: 1,
      code: "E_CONFLICTING_INPUT",
    });
    const empty = await openResearch({ works: [] });
    await empty.ok("seed", { equation: "nothing" });
    expect(await empty.failure("chain", { since: "last" })).toMatchObject({
      exit_code: 2,
      code: "E_NO_CORPUS",
    });
  });

  test("RL-99: from the last run on, new works are told once", async () => {
    const research = await seeded();
    await research.ok("chain", { direction: "forward" });
    research.fake.works.push(laterCiter(new Date().toISOString().slice(0, 10)));
    const first = await research.ok("chain", { since: "last" });
    expect((first.new as { title: string }[]).map(({ title }) => title)).toEqual(["Citer five"]);
    expect(await research.ok("chain", { since: "last" })).toMatchObject({
      new: [],
      new_total: 0,
      reason: expect.stringMatching(/^0 works published since .* cite one of 4 seeds\.$/),
      fix_command: "writ research chain --since last --refresh",
    });
  });

  test("RL-100: monitoring again is the same, tells of papers that can be cited, stays in its budget, and decides nothing", async () => {
    const research = await seeded();
    const since = { since: "2023-01-01" };
    const over = await research.failure("chain", { ...since, max_cost_usd: 0 });
    expect(over).toMatchObject({ code: "E_BUDGET_EXCEEDED", exit_code: 2 });
    const first = await research.ok("chain", { ...since, max_cost_usd: 1 });
    const papers = "SELECT id, row_hash, curation_status FROM papers WHERE active ORDER BY id";
    const before = await research.rows(papers);
    const refs = (first.new as { ref: string }[]).map(({ ref }) => ref);
    expect(refs).toHaveLength(2);
    for (const ref of refs)
      expect(await research.app.call("explain", { ref })).toMatchObject({ error: null });
    research.asked();
    expect(await research.ok("chain", { ...since, max_cost_usd: 1 })).toMatchObject({
      new: [],
      new_total: 0,
    });
    expect(research.asked()).toBe(0);
    expect(await research.rows(papers)).toEqual(before);
    expect(await research.rows("SELECT * FROM decisions")).toEqual([]);
    expect(await research.rows("SELECT * FROM merges")).toEqual([]);
  });

  test("RL-99: recorded equations are asked again with the same date", async () => {
    const research = await seeded();
    research.fake.works.push({ id: "W105", title: "Alpha lately", date: "2026-01-01" });
    const data = await research.ok("chain", { since: "2025-12-01", equations: true });
    expect(data.equations).toEqual([{ equation_id: expect.stringMatching(/^eq-/), papers_new: 1 }]);
    expect(data.new).toMatchObject([{ title: "Alpha lately", why: "a recorded equation finds it" }]);
    expect(filters(research)).toContain("title_and_abstract.search:(alpha),from_publication_date:2025-12-01");
  });
});

test("RL-40, RL-34: a work that its source merged into another keeps answering to its old id", async () => {
  const research = await seeded({
    works: [{ ...(alpha[0] as (typeof alpha)[number]), id: "W1101" }, ...alpha.slice(1)],
  });
  await research.ok("seed", { equation: "alpha", refresh: true });
  const [old, now] = [
    await research.ok("read.show", { id: "W101" }),
    await research.ok("read.show", { id: "W1101" }),
  ];
  expect((old.paper as { id: string }).id).toBe("doi:be5ab312c7aebbec");
  expect(now.paper).toEqual(old.paper);
  expect(await research.rows("SELECT count(*) AS n FROM papers WHERE active")).toEqual([{ n: 4 }]);
});

describe("before asking", () => {
  test("RL-96: a preview is arithmetic", async () => {
    const research = await seeded();
    const { data, warnings } = await research.call("chain", { preview: true });
    expect(data).toMatchObject({
      preview: true,
      estimated_candidates: 6,
      by_direction: { backward: 6, forward: 0 },
      forward_upper_bound: 19,
      capped_by_max: false,
      forward_requires_fetch: true,
      forward_from_cited_by: false,
    });
    expect(warnings.map((one) => one.code)).toContain("W_FORWARD_UNKNOWN");
    expect(research.asked()).toBe(0);
    expect(await research.rows("SELECT count(*) AS n FROM runs")).toEqual([{ n: 1 }]);
  });

  test("RL-77: an estimate is one request", async () => {
    const research = await seeded();
    expect(await research.ok("chain", { estimate: true })).toMatchObject({
      estimate: { results: 4, pages: 1, cost_usd: 0.0001 },
    });
    expect(research.asked()).toBe(1);
  });

  test("RL-95: an empty library finds nothing and says why", async () => {
    const research = await openResearch({ works: [] });
    await research.ok("seed", { equation: "nothing" });
    expect(await research.ok("chain")).toMatchObject({
      candidates_found: 0,
      reason: expect.stringContaining("0 papers"),
    });
  });
});
