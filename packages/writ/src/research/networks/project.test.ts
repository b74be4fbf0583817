import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../library/database.ts";
import type { NetworkKind } from "../model.ts";
import {
  alpha,
  bridge,
  cited,
  fill,
  libraryOf as newLibrary,
  type PaperFixture,
  refill,
} from "./papers.fixture.ts";
import { buildPreview } from "./preview.ts";
import { project } from "./project.ts";
import { defaults, leastWeight, type NetworkSpec } from "./spec.ts";
import { parseThesaurus } from "./thesaurus.ts";
import { formulas } from "./weights.ts";

const specOf = (kind: NetworkKind, rest: Partial<NetworkSpec> = {}): NetworkSpec => ({
  ...defaults,
  minWeight: leastWeight(rest.counting ?? "full"),
  name: kind,
  kind,
  scope: "all",
  includeRejected: false,
  keywords: [],
  ...rest,
});

let library: Database;
beforeAll(async () => {
  library = await newLibrary([]);
});
afterAll(() => library.close());
const libraryOf = (papers: readonly PaperFixture[]) => refill(library, papers);

/** `W101-W102:2` for each edge: papers by their source id, other nodes by their own. */
async function edgesOf(db: Database): Promise<string[]> {
  const rows = await db.rows<{ a: string; b: string; weight: number }>(
    `SELECT coalesce(pa.source_id, a.id) AS a, coalesce(pb.source_id, b.id) AS b, weight
     FROM net_edges JOIN net_nodes a ON a.n = s JOIN net_nodes b ON b.n = t
     LEFT JOIN papers pa ON pa.id = a.id LEFT JOIN papers pb ON pb.id = b.id`,
  );
  return rows.map(({ a, b, weight }) => `${a}-${b}:${weight}`).toSorted();
}

/** Edges without a direction, each with its smaller end first. */
const undirected = (edges: readonly string[]) =>
  edges
    .map((edge) => {
      const cut = edge.lastIndexOf(":");
      return `${edge.slice(0, cut).split("-").toSorted().join("-")}${edge.slice(cut)}`;
    })
    .toSorted();

async function networkOf(papers: readonly PaperFixture[], spec: NetworkSpec) {
  const db = await libraryOf(papers);
  const projected = await project(db, spec);
  return { ...projected, edges: projected.made ? undirected(await edgesOf(db)) : [] };
}

describe("networks", () => {
  test("RL-121: coupling by references, co-citation by citers, authors, institutions and keywords by papers", async () => {
    const coupling = await networkOf(cited, specOf("bibliographic_coupling"));
    expect(coupling.edges).toEqual([
      "W101-W102:2",
      "W101-W103:1",
      "W101-W201:1",
      "W102-W103:1",
      "W102-W201:1",
      "W201-W202:2",
      "W202-W203:1",
    ]);
    expect(coupling.made).toMatchObject({ nodes: 6, edges: 7, papers: 8, isolated: 2 });
    const cocitation = await networkOf(cited, specOf("cocitation"));
    expect(cocitation.edges).toEqual(["W101-W102:2", "W101-W103:1", "W102-W103:1"]);
    const authors = await networkOf(alpha, specOf("author_collab", { minWeight: 2 }));
    expect(authors.edges).toEqual(["a1-a2:2", "a2-a3:2"]);
    const institutions = await networkOf(alpha, specOf("institution_collab"));
    expect(institutions.edges).toEqual(["I1-I2:1", "I1-I3:1", "I2-I3:1"]);
    const keywords = await networkOf(alpha, specOf("keyword_cooccurrence", { minWeight: 2 }));
    expect(keywords.made).toMatchObject({ nodes: 3, edges: 2 });
    const countries = await networkOf(alpha, specOf("country_collab"));
    expect(countries.edges).toEqual(["AR-BR:1", "AR-CL:1", "BR-CL:1"]);
  });

  test("RL-121: references are linked by the papers that hold both", async () => {
    const { made, edges } = await networkOf(alpha, specOf("cocitation_refs"));
    expect(made).toMatchObject({ nodes: 5, edges: 6 });
    expect(edges.filter((edge) => edge.endsWith(":1"))).toHaveLength(5);
    expect(edges.filter((edge) => edge.endsWith(":2"))).toHaveLength(1);
  });

  test("RL-121: direct citation goes from the paper that cites to the one that is cited", async () => {
    const db = await libraryOf(cited);
    const { made } = await project(db, specOf("direct_citation"));
    expect(await edgesOf(db)).toEqual(
      ["W201-W101", "W201-W102", "W202-W101", "W202-W102", "W202-W103", "W203-W103", "W204-W104"].map(
        (arc) => `${arc}:1`,
      ),
    );
    expect(made?.nodes).toBe(8);
  });

  test("RL-122: a reference is the paper it resolves to, else its DOI, else its OpenAlex id, else nothing", async () => {
    const db = await libraryOf([
      { sourceId: "W1", references: ["W902"] },
      { doi: "10.5555/b", otherReferences: [{ doi: "10.5555/r2", id: null, raw: "Ref two" }] },
      { doi: "10.5555/c", otherReferences: [{ doi: null, id: null, raw: "Doe J, 1980, OLD BOOK" }] },
      { doi: "10.5555/d", otherReferences: [{ doi: null, id: null, raw: "Doe J, 1980, OLD BOOK" }] },
    ]);
    // Nothing ties the two ways of writing together yet, and a text alone ties nothing.
    expect((await project(db, specOf("bibliographic_coupling"))).empty).toEqual({
      reason: "2 of 4 papers have references, but none is shared by two",
    });
    await db.run(`INSERT INTO runs (run_id, seq, verb, state, started_at, writ_version) VALUES ('rr_2', 1, 'chain', 'done', now(), '1');
      INSERT INTO ref_dois VALUES ('W902', '10.5555/r2', now(), 'rr_2')`);
    const db2 = await project(db, specOf("bibliographic_coupling"));
    expect(db2.made?.edges).toBe(1);
    await db.run("UPDATE runs SET revoked_by = 'rr_3'");
    expect((await project(db, specOf("bibliographic_coupling"))).made).toBeUndefined();
    // As a paper of the library it has both names.
    await fill(db, [{ sourceId: "W902", doi: "10.5555/r2" }]);
    const found = await project(db, specOf("bibliographic_coupling"));
    expect(found.made?.edges).toBe(1);
  });

  test("RL-30: one author with and without ORCID is one node, and merges of people apply", async () => {
    const db = await libraryOf([
      {
        sourceId: "W1",
        authors: [{ openalex: "A7", orcid: "0000-1", name: "Ana Ruiz" }, { name: "Bo  CHÉN" }],
      },
      { sourceId: "W2", authors: [{ orcid: "0000-1", name: "A. Ruiz" }, { name: "bo chen" }] },
    ]);
    await project(db, specOf("author_collab"));
    expect(await edgesOf(db)).toEqual(["a7-bo chen:2"]);
    await db.run(`INSERT INTO runs (run_id, seq, verb, state, started_at, writ_version) VALUES ('rr_2', 1, 'curate.merge', 'done', now(), '1');
      INSERT INTO entity_map VALUES ('author', 'bo chen', 'a8', 'rr_2'), ('author', 'a8', 'a9', 'rr_2')`);
    await project(db, specOf("author_collab"));
    expect(await edgesOf(db)).toEqual(["a7-a9:2"]);
  });

  test("RL-8: rejected papers are in no network unless they are asked for", async () => {
    const rejected = alpha.map((paper) =>
      paper.sourceId === "W102" ? { ...paper, status: "rejected" as const } : paper,
    );
    expect((await networkOf(rejected, specOf("bibliographic_coupling"))).edges).toEqual(["W101-W103:1"]);
    const all = await networkOf(rejected, specOf("bibliographic_coupling", { includeRejected: true }));
    expect(all.edges).toHaveLength(3);
  });

  test("RL-129: years and keywords choose papers; one without a year stays", async () => {
    const papers = [
      ...alpha,
      { sourceId: "W105", references: ["W903"], keywords: [{ raw: "ALPHA Method" }] },
    ];
    const spec = specOf("bibliographic_coupling", { minYear: 2021, maxYear: 2024 });
    const byYear = await networkOf(papers, spec);
    expect(byYear.edges).toEqual(["W103-W105:1"]);
    expect(byYear.made).toMatchObject({ papers: 2, withoutYear: 1 });
    const byWord = await networkOf(alpha, specOf("bibliographic_coupling", { keywords: ["Alpha"] }));
    expect(byWord.edges).toEqual(["W101-W103:1"]);
  });

  test("RL-125: too many pairs are counted before they are made, with the largest cap that fits", async () => {
    const crowd = Array.from({ length: 20 }, (_, k) => ({
      sourceId: `W${100 + k}`,
      references: ["W900", `W${901 + (k >> 1)}`, `W${950 + (k >> 2)}`],
    }));
    const spec = specOf("bibliographic_coupling", { maxPairs: 100 });
    const { skipped } = await networkOf(crowd, spec);
    expect(skipped).toEqual({
      reason: "230 pairs; the 1 largest items make 190 of them",
      fix_command: "writ research build --networks bibliographic_coupling --hub-cap 19",
    });
    const capped = await networkOf(crowd, { ...spec, hubCap: 19 });
    expect(capped.made).toMatchObject({ edges: 30, hub: { items: 1, pairs: 190 } });
    expect(capped.made?.hub).toEqual({ items: 1, pairs: 190 });
    const tight = await networkOf(crowd, { ...spec, maxPairs: 20, scope: "seeds" });
    expect(tight.skipped?.fix_command).toBe(
      "writ research build --networks bibliographic_coupling --scope seeds --hub-cap 3",
    );
    expect((await networkOf(crowd, { ...spec, maxPairs: 9 })).skipped?.fix_command).toBeUndefined();
  });

  describe("a paper with ten thousand of everything", () => {
    const many = (of: (k: number) => string) => Array.from({ length: 10_000 }, (_, k) => of(k));
    const crowded: readonly PaperFixture[] = [
      ...alpha,
      {
        sourceId: "W500",
        authors: many((k) => `B${k}`).map((name, k) => ({
          name,
          openalex: name,
          institutions: [{ id: `J${k}`, ror: null, name: `Place ${k}`, country: null }],
        })),
        keywords: many((k) => `word ${k}`).map((raw) => ({ raw })),
        references: many((k) => `W${600_000 + k}`),
      },
    ];

    let crowd: Database;
    beforeAll(async () => {
      crowd = await newLibrary(crowded);
    });
    afterAll(() => crowd.close());

    test.each([
      ["author_collab", 3],
      ["institution_collab", 3],
      ["keyword_cooccurrence", 3],
      ["cocitation_refs", 6],
    ] as const)(
      "RL-125: %s is not made of that paper alone, and a cap leaves it out",
      async (kind, edges) => {
        const { skipped } = await project(crowd, specOf(kind));
        expect(skipped?.reason).toMatch(
          /^49,995,\d{3} pairs; the 1 largest items make 49,995,000 of them, and one paper may make 5,000,000$/,
        );
        expect(skipped?.fix_command).toBe(`writ research build --networks ${kind} --hub-cap 9999`);
        const capped = await project(crowd, specOf(kind, { hubCap: 9999 }));
        expect(capped.made).toMatchObject({ edges, hub: { items: 1, pairs: 49_995_000 } });
        // Who names a bound means it.
        const named = await project(crowd, specOf(kind, { maxPairs: 100_000 }));
        expect(named.skipped?.reason).toMatch(
          /^49,995,\d{3} pairs; the 1 largest items make 49,995,000 of them$/,
        );
      },
    );

    test("RL-125: its references make no pair of coupling, and the cap explains what is empty", async () => {
      expect((await project(crowd, specOf("bibliographic_coupling"))).made).toMatchObject({ edges: 3 });
      const alone = specOf("author_collab", { hubCap: 9999, minYear: 2030 });
      expect((await project(crowd, alone)).empty?.reason).toBe(
        "0 edges with weight >= 1; the hub cap left out 1 item and 49,995,000 pairs",
      );
    });
  });

  const weighed: readonly PaperFixture[] = [
    { sourceId: "W1", references: refs(1, 2, 3, 4, 5, 6, 7, 8, 9) },
    { sourceId: "W2", references: refs(1, 2, 3, 20) },
    { sourceId: "W3", references: refs(3, 4, 21, 22, 23) },
  ];

  async function weightsOf(rest: Partial<NetworkSpec>, column: string): Promise<Record<string, number>> {
    const db = await libraryOf(weighed);
    await project(db, specOf("bibliographic_coupling", rest));
    const rows = await db.rows<{ a: string; b: string; value: number }>(
      `SELECT pa.source_id AS a, pb.source_id AS b, ${column} AS value FROM net_edges
       JOIN net_nodes a ON a.n = s JOIN net_nodes b ON b.n = t JOIN papers pa ON pa.id = a.id JOIN papers pb ON pb.id = b.id`,
    );
    return Object.fromEntries(rows.map(({ a, b, value }) => [[a, b].toSorted().join("-"), value]));
  }

  test.each([
    ["none", "weight", [3, 2, 1]],
    ["association", "norm", [0.083333, 0.044444, 0.05]],
    ["vos", "norm", [1.8, 1.6, 1]],
    ["cosine", "norm", [0.5, 0.298142, 0.223607]],
    ["equivalence", "norm", [0.25, 0.088889, 0.05]],
    ["jaccard", "norm", [0.3, 0.166667, 0.125]],
    ["inclusion", "norm", [0.75, 0.4, 0.25]],
  ] as const)("RL-127: the weight called %s", async (normalisation, column, [pq, pr, qr]) => {
    const found = await weightsOf({ normalisation }, column);
    expect(found["W1-W2"]).toBeCloseTo(pq, 5.7);
    expect(found["W1-W3"]).toBeCloseTo(pr, 5.7);
    expect(found["W2-W3"]).toBeCloseTo(qr, 5.7);
  });

  test("RL-124, RL-126: fractional counting stands beside the raw count, and its sums are integers", async () => {
    const frac = await weightsOf({ counting: "fractional" }, "frac");
    expect(frac).toEqual({ "W1-W2": 2.5e12, "W1-W3": 1.5e12, "W2-W3": 0.5e12 });
    const raw = await weightsOf({ counting: "fractional" }, "weight");
    expect(raw).toEqual({ "W1-W2": 3, "W1-W3": 2, "W2-W3": 1 });
    const vos = await weightsOf({ counting: "fractional", normalisation: "vos" }, "norm");
    // m is 4.5, and w is 4, 3 and 2.
    expect(vos["W1-W2"]).toBeCloseTo((2 * 4.5 * 2.5) / (4 * 3), 9);
    // The least weight is one of counted weights, before they are normalised.
    expect(Object.keys(await weightsOf({ counting: "fractional", minWeight: 1.5 }, "frac"))).toHaveLength(2);
    const kept = await weightsOf({ normalisation: "vos", minWeight: 2 }, "norm");
    expect(kept["W1-W2"]).toBeCloseTo(1.8, 9);
    expect(Object.keys(kept)).toHaveLength(2);
  });

  test("RL-123, RL-128: networks equal a naive reckoning, whatever the order of papers, and are symmetric", () =>
    fc.assert(
      fc.asyncProperty(holdings, fc.constantFrom(...Object.keys(formulas)), async (lists, word) => {
        const papers = lists.map((list, at) => ({
          sourceId: `W${100 + at}`,
          references: list.map((k) => `W9${k}`),
        }));
        const normalisation = word as keyof typeof formulas;
        const reckoned = naive(lists, normalisation);
        for (const order of [papers, papers.toReversed()]) {
          const db = await libraryOf(order);
          const { made } = await project(db, specOf("bibliographic_coupling", { normalisation }));
          const rows = await db.rows<{ a: string; b: string; weight: number; norm: number }>(
            made
              ? `SELECT pa.source_id AS a, pb.source_id AS b, weight, norm FROM net_edges JOIN net_nodes a ON a.n = s
                 JOIN net_nodes b ON b.n = t JOIN papers pa ON pa.id = a.id JOIN papers pb ON pb.id = b.id`
              : "SELECT 1 AS a WHERE false",
          );
          const found = new Map(rows.map(({ a, b, ...rest }) => [[a, b].toSorted().join("-"), rest]));
          expect([...found.keys()].toSorted()).toEqual([...reckoned.keys()].toSorted());
          for (const [pair, { weight, norm }] of reckoned) {
            expect(found.get(pair)?.weight).toBe(weight);
            expect(found.get(pair)?.norm).toBeCloseTo(norm, 9);
            expect(Number.isFinite(found.get(pair)?.norm)).toBe(true);
          }
        }
      }),
      { numRuns: 6 },
    ));

  test("RL-179: 200 papers equal a naive reckoning in full and in fractions", async () => {
    let state = 7;
    const next = (below: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    const lists = Array.from({ length: 200 }, () => [...new Set(Array.from({ length: 8 }, () => next(150)))]);
    const papers = lists.map((list, at) => ({
      sourceId: `W${1000 + at}`,
      references: list.map((k) => `W9${k}`),
    }));
    const db = await libraryOf(papers);
    await project(db, specOf("bibliographic_coupling", { counting: "fractional" }));
    const rows = await db.rows<{ a: string; b: string; weight: number; frac: number }>(
      `SELECT pa.source_id AS a, pb.source_id AS b, weight, frac FROM net_edges JOIN net_nodes a ON a.n = s
       JOIN net_nodes b ON b.n = t JOIN papers pa ON pa.id = a.id JOIN papers pb ON pb.id = b.id`,
    );
    const reckoned = naive(lists, "cosine", 1000);
    expect(rows).toHaveLength(reckoned.size);
    for (const { a, b, weight, frac } of rows) {
      const expected = reckoned.get([a, b].toSorted().join("-"));
      expect(weight).toBe(expected?.weight);
      expect(frac / 1e12).toBeCloseTo(expected?.frac ?? Number.NaN, 9);
    }
  });

  test("RL-179: the network of a scope is that of a library that holds only the scope", () =>
    fc.assert(
      fc.asyncProperty(
        holdings,
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        async (lists, seeds) => {
          const papers = lists.map((list, at) => ({
            sourceId: `W${100 + at}`,
            references: list.map((k) => `W9${k}`),
            seed: seeds[at % 8] ?? true,
          }));
          const scoped = await networkOf(papers, specOf("bibliographic_coupling", { scope: "seeds" }));
          const alone = await networkOf(
            papers.filter(({ seed }) => seed),
            specOf("bibliographic_coupling"),
          );
          expect(scoped.edges).toEqual(alone.edges);
        },
      ),
      { numRuns: 6 },
    ));
});

describe("thesaurus", () => {
  const text = JSON.stringify({ concepts: { graphs: { aliases_en: ["graph theory", "NÉTWORK"] } } });

  test("RL-117: keywords are looked up by their text, counted, and kept in the papers", async () => {
    const db = await libraryOf(alpha);
    const thesaurus = { ...parseThesaurus(text, "t.json"), appliedAt: "2026-01-01T00:00:00.000Z" };
    const { made } = await project(db, specOf("keyword_cooccurrence"), thesaurus);
    expect(await edgesOf(db)).toEqual(["alpha method-graphs:2"]);
    expect(made?.nodes).toBe(2);
    expect(made?.thesaurus).toEqual({
      keywords_mapped: 3,
      keywords_total: 6,
      aliases_loaded: 3,
      applied_at: thesaurus.appliedAt,
    });
  });

  test("RL-117: VOSviewer's table is read too; what is neither, or ambiguous, is refused by name", () => {
    const table = "\ufefflabel\treplace by\r\nGraph Theory\tgraphs\r\nnoise\t\r\n";
    expect([...parseThesaurus(table, "t.txt").canons]).toEqual([
      ["graphs", "graphs"],
      ["graph theory", "graphs"],
    ]);
    expect(() => parseThesaurus("{}", "t.json")).toThrow(/E_THESAURUS.*concepts/);
    expect(() => parseThesaurus("a,b", "t.csv")).toThrow(/E_THESAURUS/);
    const twice = JSON.stringify({ concepts: { a: { aliases_en: ["x"] }, b: { aliases_de: ["X"] } } });
    expect(() => parseThesaurus(twice, "t.json")).toThrow(/E_THESAURUS.*"X" stand for "a" and for "b"/);
  });
});

describe("empty networks", () => {
  test("RL-130: what the preview says is what a build finds, with counts and the command that helps", async () => {
    // More than are looked at first: nothing there, and pairs only in what comes last by id.
    const bare = Array.from(
      { length: 1200 },
      (_, at): PaperFixture => ({ sourceId: `W${at}`, title: `T${at}` }),
    );
    const last = ["a", "b"].map((at): PaperFixture => ({ sourceId: `Wz${at}`, references: refs(1, 2) }));
    for (const papers of [alpha, cited, bridge, [], [{ doi: "10.1234/x" }], bare, [...bare, ...last]]) {
      const db = await libraryOf(papers);
      for (const { kind, would_be_empty, reason, fix_command } of await buildPreview(db)) {
        const { empty } = await project(db, specOf(kind));
        expect({ kind, empty: empty !== undefined }).toEqual({ kind, empty: would_be_empty });
        const why = { reason: empty?.reason, fix_command: empty?.fix_command };
        expect({ reason, fix_command }).toEqual(why);
      }
    }
  });

  test("RL-130: the words for each reason", async () => {
    const reason = async (
      papers: readonly PaperFixture[],
      kind: NetworkKind,
      rest: Partial<NetworkSpec> = {},
    ) => (await networkOf(papers, specOf(kind, rest))).empty;
    expect(await reason(alpha, "cocitation")).toEqual({
      reason: "0 of 4 papers have citers",
      fix_command: "writ research chain --direction forward",
    });
    expect(await reason(bridge, "author_collab")).toEqual({ reason: "0 of 6 papers have an author id" });
    expect(await reason(bridge, "keyword_cooccurrence")).toEqual({
      reason: "6 of 6 papers have a keyword, none has two",
    });
    expect(await reason([{ doi: "10.1234/x" }], "bibliographic_coupling")).toEqual({
      reason: "0 of 1 papers have references",
      fix_command: "writ research seed --resolve",
    });
    expect(await reason(alpha, "institution_collab", { minWeight: 2 })).toEqual({
      reason: "0 edges with weight >= 2",
      fix_command: "writ research build --min-weight 1",
    });
    expect(await reason(alpha, "direct_citation")).toEqual({
      reason: "4 of 4 papers have references, but none is a paper here",
    });
  });
});

function refs(...numbers: number[]): string[] {
  return numbers.map((k) => `W9${k}`);
}

/** Which items each of some papers holds. */
const holdings = fc.array(fc.uniqueArray(fc.nat(11), { maxLength: 7 }), { minLength: 2, maxLength: 12 });

interface Reckoned {
  weight: number;
  frac: number;
  norm: number;
}

/** All pairs, one by one. */
function naive(lists: readonly number[][], word: keyof typeof formulas, first = 100): Map<string, Reckoned> {
  const holders = new Map<number, number>();
  for (const k of lists.flat()) holders.set(k, (holders.get(k) ?? 0) + 1);
  const pairs = new Map<string, { i: number; j: number; weight: number; frac: number }>();
  const w = lists.map(() => 0);
  let m = 0;
  for (const [i, a] of lists.entries()) {
    for (const [j, b] of lists.entries()) {
      if (i >= j) continue;
      const shared = a.filter((k) => b.includes(k));
      if (shared.length === 0) continue;
      const frac = shared.reduce((sum, k) => sum + 1 / ((holders.get(k) ?? 0) - 1), 0);
      pairs.set(`W${first + i}-W${first + j}`, { i, j, weight: shared.length, frac });
      w[i] = (w[i] ?? 0) + shared.length;
      w[j] = (w[j] ?? 0) + shared.length;
      m += shared.length;
    }
  }
  return new Map(
    [...pairs].map(([pair, { i, j, weight: c, frac }]) => {
      const [ai, aj] = [lists[i]?.length ?? 0, lists[j]?.length ?? 0];
      const norms = {
        association: c / (ai * aj),
        vos: (2 * m * c) / ((w[i] ?? 0) * (w[j] ?? 0)),
        cosine: c / Math.sqrt(ai * aj),
        equivalence: c ** 2 / (ai * aj),
        jaccard: c / (ai + aj - c),
        inclusion: c / Math.min(ai, aj),
      };
      return [pair, { weight: c, frac, norm: norms[word] }];
    }),
  );
}
