import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fetchCiters } from "../../packages/writ/src/research/chain/citers.ts";
import { collect, worksOf } from "../../packages/writ/src/research/sources/collect.ts";
import { crossref } from "../../packages/writ/src/research/sources/crossref/source.ts";
import { openAlex } from "../../packages/writ/src/research/sources/openalex/source.ts";
import { refusedCursor as crossrefCursor, startCrossref } from "../fakes/crossref/server.ts";
import { refusedCursor, repeated, startOpenAlex } from "../fakes/openalex/server.ts";
import { alpha } from "../fakes/openalex/works.ts";
import {
  type FakeSemanticScholar,
  paperIdOf,
  refusedToken,
  startSemanticScholar,
} from "../fakes/semanticscholar/server.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { openAsking } from "./asking.ts";
import { bibFile } from "./files.ts";
import { sourceSuite } from "./source-suite.ts";
import { openResearch } from "./workspace.ts";

const bare = (doi: string | null | undefined) => (doi ?? "").replace("https://doi.org/", "");

sourceSuite({
  id: "openalex",
  start: startOpenAlex,
  find: (word) => ({ filter: `title_and_abstract.search:(${word})` }),
  keyOf: ({ id }) => id,
  credential: { name: "OPENALEX_API_KEY", header: "authorization" },
  small: (server) => server.script({ times: 3, change: (answer) => repeated(answer) }),
  refusal: refusedCursor,
});

sourceSuite({
  id: "crossref",
  start: startCrossref,
  find: (word) => ({ "query.bibliographic": word }),
  keyOf: ({ doi }) => bare(doi),
  credential: { name: "CROSSREF_PLUS_TOKEN", header: "crossref-plus-api-token" },
  small: () => {},
  refusal: crossrefCursor,
});

sourceSuite({
  id: "semanticscholar",
  start: startSemanticScholar,
  find: (word) => ({ query: word }),
  keyOf: ({ id }) => paperIdOf(id),
  credential: { name: "SEMANTIC_SCHOLAR_API_KEY", header: "x-api-key" },
  small: (server) => void ((server as FakeSemanticScholar).pageSize = 5),
  refusal: refusedToken,
});

describe("what is particular", () => {
  test("RL-61: a DOI that holds a comma is asked for alone", () => {
    const dois = ["10.5555/a,b", "10.5555/c"];
    expect(openAlex.plan({ kind: "dois", dois }).map(({ path }) => path)).toEqual([
      "/works",
      "/works/doi:10.5555%2Fa%2Cb",
    ]);
    expect(crossref.plan({ kind: "dois", dois }).map(({ path }) => path)).toEqual([
      "/works",
      "/works/10.5555%2Fa%2Cb",
    ]);
  });

  test("RL-65: a source that gives one token for all pages is read to its end, and once", async () => {
    const many = Array.from({ length: 3100 }, (_, at) => ({
      id: `W${at}`,
      doi: `10.5555/m${at}`,
      title: "Many",
    }));
    await using fake = await startCrossref(many);
    fake.scrolls = true;
    using folder = tempFolder("writ-scroll");
    const requests = crossref.plan({ kind: "search", query: { "query.bibliographic": "many" }, limit: 5000 });
    const brought = async (root = folder.path) => {
      const { session } = await openAsking({ source: "crossref", url: fake.url, root });
      const found = await collect(session, requests, 5000);
      const keys = new Set<string>();
      for await (const { sourceKey } of worksOf(session, found.pages)) keys.add(sourceKey);
      return [keys.size, session.usage().requests];
    };
    expect(await brought()).toEqual([3100, 4]);
    expect(await brought()).toEqual([3100, 0]);
    using other = tempFolder("writ-scroll");
    fake.script({ ...crossrefCursor, match: ({ query }) => query.cursor !== "*" && fake.place === 2000 });
    expect(await brought(other.path)).toEqual([3100, 7]);
  });

  test("RL-68: a work that was merged is found under its new id", async () => {
    await using fake = await startOpenAlex([
      { id: "W2", doi: "10.5555/new,1", title: "Heir", formerly: ["doi:10.5555/old,1"] },
    ]);
    using folder = tempFolder("writ-merged");
    const { session } = await openAsking({ url: fake.url, root: folder.path });
    const [request] = openAlex.plan({ kind: "dois", dois: ["10.5555/old,1"] });
    if (!request) throw new Error("nothing is planned");
    const fetched = await session.fetch(request);
    expect("answer" in fetched && openAlex.read(fetched.answer, request).works[0]?.sourceKey).toBe("W2");
  });

  test("RL-63: Crossref is told the reader's address in the user agent", async () => {
    await using fake = await startCrossref(alpha);
    using folder = tempFolder("writ-agent");
    const { session } = await openAsking({
      source: "crossref",
      url: fake.url,
      root: folder.path,
      email: "a@b.c",
    });
    const [request] = crossref.plan({ kind: "dois", dois: ["10.5555/a1"] });
    if (request) await session.fetch(request);
    expect(fake.requests[0]?.headers["user-agent"]).toBe("writ (mailto:a@b.c)");
    expect(fake.requests[0]?.query).not.toHaveProperty("mailto");
  });

  test("RL-60: Semantic Scholar's citers come with their references", async () => {
    await using fake = await startSemanticScholar(alpha);
    using folder = tempFolder("writ-citers");
    const { session } = await openAsking({ source: "semanticscholar", url: fake.url, root: folder.path });
    const citers = await fetchCiters(
      session,
      [
        { id: "p101", cited: 12 },
        { id: "p103", cited: null },
      ],
      { maxCiting: 50 },
    );
    expect([...citers.kept].sort()).toEqual(["p201", "p202", "p203"]);
    for await (const work of worksOf(session, citers.pages))
      expect(work.otherReferences.map(({ id }) => id)).toContain(
        work.sourceKey === "p203" ? "s2:p103" : "s2:p101",
      );
  });

  test("RL-70: however far apart a source wants its requests, nobody waits longer than they said", async () => {
    await using fake = await startCrossref(alpha);
    using folder = tempFolder("writ-far");
    fake.script({ times: 3, headers: { "x-rate-limit-limit": "1", "x-rate-limit-interval": "86400s" } });
    const { session } = await openAsking({
      source: "crossref",
      url: fake.url,
      root: folder.path,
      maxWait: 0,
    });
    for (const doi of ["10.5555/a1", "10.5555/a2", "10.5555/a4"])
      for (const request of crossref.plan({ kind: "dois", dois: [doi] })) await session.fetch(request);
    expect(session.usage().requests).toBe(3);
  });

  test("RL-61: a source that knows no citers says so before anything is sent", async () => {
    const fake = await startCrossref(alpha);
    onTestFinished(() => fake.close());
    const research = await openResearch({ works: alpha, env: { WRIT_CROSSREF_URL: fake.url } });
    await research.ok("seed", { equation: "alpha", source: "crossref" });
    const asked = fake.requests.length;
    expect(await research.failure("chain", { direction: "forward", source: "crossref" })).toMatchObject({
      code: "E_SOURCE_CANNOT",
      exit_code: 2,
      details: { able: ["openalex", "semanticscholar"] },
    });
    const back = await research.ok("chain", { direction: "backward", source: "crossref" });
    expect((back.ranking_preview as { id: string }[]).map(({ id }) => id)).toEqual([
      "doi:10.5555/r2",
      "doi:10.5555/r3",
    ]);
    expect(fake.requests.length).toBe(asked);
  });

  test("RL-75: an import stands, whatever keeps its DOIs from being looked up", async () => {
    const research = await openResearch({ works: alpha, env: { WRIT_OPENALEX_URL: "nowhere" } });
    writeFileSync(join(research.root, "works.bib"), bibFile);
    const { data, error, warnings } = await research.call("seed", { from_file: "works.bib", resolve: true });
    expect(error).toBeNull();
    expect(data).toMatchObject({ papers_new: 2, resolve: null });
    expect(warnings.map(({ code }) => code)).toContain("W_PHASE_SKIPPED");
  });

  test("RL-61: Semantic Scholar seeds and chains both ways", async () => {
    const fake = await startSemanticScholar(alpha);
    onTestFinished(() => fake.close());
    const research = await openResearch({ works: [], env: { WRIT_SEMANTICSCHOLAR_URL: fake.url } });
    const source = "semanticscholar";
    expect(await research.ok("seed", { equation: "alpha", source })).toMatchObject({ papers_new: 4 });
    const data = await research.ok("chain", { source });
    expect(data).toMatchObject({ new_candidates: 4, candidates_found: 6 });
    expect((data.ranking_preview as { id: string; scent: number }[])[0]).toMatchObject({ scent: 3 });
  });
});
