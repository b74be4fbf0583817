import { describe, expect, onTestFinished, test } from "vitest";
import type { WritError } from "../../packages/writ/src/contract/index.ts";
import type { SourceId, Work } from "../../packages/writ/src/research/model.ts";
import { collect, worksOf } from "../../packages/writ/src/research/sources/collect.ts";
import type { Want } from "../../packages/writ/src/research/sources/port.ts";
import { sourceOf } from "../../packages/writ/src/research/sources/registry.ts";
import type { FakeServer, Step } from "../fakes/fake-server.ts";
import type { FakeWork } from "../fakes/openalex/works.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { openAsking } from "./asking.ts";

/** What a source's server is, for the suite that every source is held to. */
export interface SourceUnderTest {
  id: SourceId;
  start(works: readonly FakeWork[]): Promise<FakeServer>;
  /** Parameters that find a word. */
  find(word: string): Record<string, string>;
  /** The key of a work in this source. */
  keyOf(work: FakeWork): string;
  /** The variable that holds its credential, and the header it is sent in. */
  credential: { name: string; header: string };
  /** Makes pages small, so that a search has several. */
  small(server: FakeServer): void;
  /** A token to go on with is refused. */
  refusal: Step;
}

const works: FakeWork[] = Array.from({ length: 12 }, (_, at) => ({
  id: `W${700 + at}`,
  doi: `https://doi.org/10.5555/s${at}`,
  title: `Suite work ${at}`,
  date: `20${10 + at}-03-04`,
  venue: "J. Suites",
  authors: [{ id: "A1", name: "Ana Ruiz" }],
  references: at === 0 ? [] : ["W700"],
}));

/** Every source: plans, pages, failures, credentials and look-ups, over a real socket. */
export function sourceSuite(under: SourceUnderTest): void {
  const source = sourceOf(under.id);

  async function service(...steps: Step[]) {
    const server = await under.start(works);
    const folder = tempFolder("writ-source");
    onTestFinished(async () => {
      await server.close();
      folder[Symbol.dispose]();
    });
    server.script(...steps);
    return { server, root: folder.path };
  }

  async function fetched(
    { server, root }: { server: FakeServer; root: string },
    want: Want,
    env: Record<string, string> = {},
  ): Promise<{ works: Work[]; requests: number }> {
    const { session } = await openAsking({ source: under.id, url: server.url, root, env });
    const limit = want.kind === "search" ? want.limit : Number.POSITIVE_INFINITY;
    const found = await collect(session, source.plan(want), limit);
    const told: Work[] = [];
    for await (const work of worksOf(session, found.pages)) told.push(work);
    return { works: told, requests: session.usage().requests };
  }

  const search = (limit = 200, since?: string): Want => ({
    kind: "search",
    query: under.find("suite"),
    limit,
    ...(since !== undefined && { since }),
  });
  const keys = (found: { works: Work[] }) => found.works.map(({ sourceKey }) => sourceKey).sort();
  const all = works.map(under.keyOf).sort();

  describe(`the source ${under.id}`, () => {
    test("RL-60: a search brings each work once, with what the source tells of it", async () => {
      const to = await service();
      const found = await fetched(to, search());
      expect(keys(found)).toEqual(all);
      const one = found.works.find(({ doi }) => doi === "10.5555/s3");
      expect(one).toMatchObject({
        source: under.id,
        title: "Suite work 3",
        year: 2013,
        publicationDate: "2013-03-04",
        venue: "J. Suites",
        authorships: [{ pos: 0, name: expect.stringMatching(/Ruiz/) }],
      });
      expect((one?.references.length ?? 0) + (one?.otherReferences.length ?? 0)).toBe(1);
    });

    test("RL-60: a limit is kept, and the same question costs nothing", async () => {
      const to = await service();
      const first = await fetched(to, search(5));
      expect(first.works).toHaveLength(5);
      const again = await fetched(to, search(5));
      expect([keys(again), again.requests]).toEqual([keys(first), 0]);
    });

    test("RL-74: several pages make the same set, also when a token is refused on the way", async () => {
      const to = await service();
      under.small(to.server);
      expect(keys(await fetched(to, search()))).toEqual(all);
      const refused = await service(under.refusal);
      under.small(refused.server);
      expect(keys(await fetched(refused, search()))).toEqual(all);
    });

    test("RL-60: works are found by DOI, and what is unknown is missing", async () => {
      const to = await service();
      const want: Want = { kind: "dois", dois: ["10.5555/s1", "10.5555/s2", "10.5555/none"] };
      const found = await fetched(to, want);
      expect(new Set(found.works.map(({ doi }) => doi))).toEqual(new Set(["10.5555/s1", "10.5555/s2"]));
    });

    test("RL-60: what fails for a moment is asked again, and a refusal has the source's words", async () => {
      const to = await service({ status: 503 }, { cutJson: true });
      expect(keys(await fetched(to, search()))).toEqual(all);
      const refused = await service({ status: 400, body: { message: "No such thing" }, times: 3 });
      const error = await fetched(refused, search()).then(
        () => undefined,
        (thrown: unknown) => thrown as WritError,
      );
      expect(error?.toObject()).toMatchObject({ code: "NETWORK_ERROR", retryable: false });
      expect(error?.failure.message).toContain("No such thing");
      expect(refused.server.requests).toHaveLength(1);
    });

    test("RL-62: the credential is sent in its header", async () => {
      const to = await service();
      await fetched(to, search(), { [under.credential.name]: "sekret" });
      for (const { headers } of to.server.requests)
        expect(headers[under.credential.header]).toContain("sekret");
    });

    test("RL-61: what the source cannot do, it plans no request for", () => {
      const citers = source.plan({ kind: "citers", ids: ["1"] });
      const ids = source.plan({ kind: "ids", ids: ["1"] });
      expect([citers.length > 0, ids.length > 0]).toEqual([source.can.citers, source.can.byId]);
    });

    test("RL-60: a plan does not depend on the order in which things are wished for", () => {
      const dois = ["10.5555/b", "10.5555/a", "10.5555/a"];
      expect(source.plan({ kind: "dois", dois })).toEqual(
        source
          .plan({ kind: "dois", dois: dois.toReversed() })
          .map((request) => ({ ...request, want: { ...request.want } })),
      );
    });
  });
}
