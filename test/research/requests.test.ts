import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ErrorObject, WritError } from "../../packages/writ/src/contract/index.ts";
import { openAlex } from "../../packages/writ/src/research/sources/openalex/source.ts";
import { pageFile, readPage } from "../../packages/writ/src/research/sources/page-store.ts";
import { series } from "../../packages/writ/src/research/sources/series.ts";
import type { Step } from "../fakes/fake-server.ts";
import { emptyPage, type FakeOpenAlex, refusedCursor, startOpenAlex } from "../fakes/openalex/server.ts";
import { alpha, bulk } from "../fakes/openalex/works.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { type Asking, openAsking } from "./asking.ts";

type Given = Partial<Asking> & { word?: string; limit?: number };

async function service(...steps: Step[]): Promise<{ fake: FakeOpenAlex; root: string }> {
  const fake = await startOpenAlex([...alpha, ...bulk]);
  const folder = tempFolder("writ-requests");
  onTestFinished(async () => {
    await fake.close();
    folder[Symbol.dispose]();
  });
  fake.script(...steps);
  return { fake, root: folder.path };
}

/** Searches for a word and reads every page of the answer. */
async function search(
  to: { fake: FakeOpenAlex; root: string },
  { word = "alpha", limit = 200, ...more }: Given = {},
) {
  const { session, ctx } = await openAsking({ url: to.fake.url, root: to.root, ...more });
  const [request] = openAlex.plan({
    kind: "search",
    query: { filter: `title_and_abstract.search:(${word})` },
    limit,
  });
  if (!request) throw new Error("nothing is planned");
  const ids = new Set<string>();
  const keys: string[] = [];
  for await (const { page, key } of series(session, request, { remaining: () => limit - ids.size })) {
    for (const work of page.works) ids.add(work.sourceKey);
    if (key !== undefined) keys.push(key);
  }
  return { ids: [...ids], keys, usage: session.usage(), rows: session.record.rows, ctx };
}

async function failureOf(work: Promise<unknown>): Promise<ErrorObject> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown as WritError,
  );
  if (!error) throw new Error("it succeeded");
  return error.toObject();
}

describe("attempts", () => {
  test.each([429, 500, 502, 503, 504])(
    "RL-70: HTTP %i is tried again, and the answer is used",
    async (status) => {
      const to = await service({ status, times: 2 });
      const { ids, usage } = await search(to);
      expect(ids).toEqual(["W101", "W102", "W103", "W104"]);
      expect(usage).toMatchObject({ requests: 1, attempts: 3, from_store: 0 });
    },
  );

  test.each<[string, Step]>([
    ["a connection that breaks", { refuse: true }],
    ["a body cut in the middle", { cutBody: true }],
    ["JSON that ends at a brace", { cutJson: true }],
    ["an answer of another kind", { status: 200, body: { hello: 1 } }],
  ])("RL-70: %s is tried again", async (_, step) => {
    const to = await service(step);
    expect((await search(to)).ids).toHaveLength(4);
    expect(to.fake.requests).toHaveLength(2);
  });

  test.each([400, 401, 403, 404])("RL-70: HTTP %i is not tried again", async (status) => {
    const to = await service({ status, times: 3, body: { error: "no" } });
    const failure = await failureOf(search(to, { env: { OPENALEX_API_KEY: "k" } }));
    expect(failure).toMatchObject({ code: "NETWORK_ERROR", exit_code: 4, retryable: false });
    expect(failure).not.toHaveProperty("subcode");
    expect(to.fake.requests).toHaveLength(1);
  });

  test("RL-71: 504 to the end is UPSTREAM_TIMEOUT, after three attempts and without a wish to repeat", async () => {
    const to = await service({ status: 504, times: 3 });
    expect(await failureOf(search(to))).toMatchObject({
      code: "NETWORK_ERROR",
      subcode: "UPSTREAM_TIMEOUT",
      retryable: false,
      details: { source: "openalex", status: 504, attempts: 3 },
    });
  });

  test("RL-70: who never answers is asked twice", async () => {
    const to = await service({ hang: true, times: 9 });
    const failure = await failureOf(search(to, { env: { WRIT_RESEARCH_TIMEOUT_MS: "60" } }));
    expect(failure).toMatchObject({
      subcode: "UPSTREAM_TIMEOUT",
      retryable: false,
      details: { attempts: 2 },
    });
    expect(to.fake.requests).toHaveLength(2);
  });

  test("RL-70: a slow answer is no late one, as long as bytes come", async () => {
    const to = await service({ dripMs: 1, status: 200, body: { meta: { count: 0 }, results: [] } });
    expect((await search(to, { env: { WRIT_RESEARCH_TIMEOUT_MS: "5000" } })).ids).toEqual([]);
    expect(to.fake.requests).toHaveLength(1);
  });

  test("RL-71: 429 to the end is RATE_LIMITED, with the seconds the source asks for", async () => {
    const to = await service({ status: 429, times: 3, headers: { "retry-after": "0" } });
    expect(await failureOf(search(to))).toMatchObject({
      subcode: "RATE_LIMITED",
      retryable: true,
      retry_after_seconds: 0,
      details: { attempts: 3, status: 429 },
    });
    const reset = await service({ status: 429, times: 3, headers: { "x-ratelimit-reset": "7200" } });
    expect(await failureOf(search(reset))).toMatchObject({ retry_after_seconds: 7200 });
  });

  test("RL-70: a wait beyond --max-wait, or a spent budget, fails at once", async () => {
    const long = await service({ status: 429, times: 3, headers: { "retry-after": "61" } });
    expect(await failureOf(search(long))).toMatchObject({
      retry_after_seconds: 61,
      details: { attempts: 1 },
    });
    const spent = await service({ status: 429, times: 3, headers: { "x-ratelimit-remaining": "0" } });
    expect(await failureOf(search(spent))).toMatchObject({
      subcode: "RATE_LIMITED",
      details: { attempts: 1 },
    });
  });

  test("RL-71: 403 that speaks of a limit is one", async () => {
    const to = await service({ status: 403, body: { error: "Rate limit exceeded" } });
    expect(await failureOf(search(to))).toMatchObject({ subcode: "RATE_LIMITED", retryable: true });
  });

  test("RL-71: 400 has the source's own words", async () => {
    const to = await service({ status: 400, body: { error: "Bad", message: "Invalid query" } });
    expect((await failureOf(search(to))).message).toContain("Invalid query");
  });
});

describe("credentials", () => {
  test("RL-62: neither key nor address is in an error, a page or the record of requests", async () => {
    const secrets = { env: { OPENALEX_API_KEY: "sekret" }, email: "a@b.c" };
    const echo: Step = {
      status: 400,
      body: { message: "Invalid query for sekret of a@b.c and a%40b.c" },
    };
    const to = await service(echo);
    const failure = await failureOf(search(to, secrets));
    expect(failure.message).toContain("Invalid query");
    const { rows, keys } = await search(to, secrets);
    expect(to.fake.requests[1]).toMatchObject({
      headers: { authorization: "Bearer sekret" },
      query: { mailto: "a@b.c" },
    });
    const pages = await Promise.all(keys.map((key) => readPage(pageFile(`${to.root}/pages`, key))));
    const shown = JSON.stringify([failure, rows, pages]);
    expect(shown).not.toMatch(/sekret|a@b|a%40b/);
  });

  test("RL-62: a redirect to another place is not followed", async () => {
    const other = await service();
    const to = await service({ status: 301, headers: { location: `${other.fake.url}/works?filter=` } });
    await failureOf(search(to, { env: { OPENALEX_API_KEY: "k" } }));
    expect(other.fake.requests).toEqual([]);
  });

  test("RL-62: an address that is neither the service's nor this machine gets no credential", async () => {
    const { root } = await service();
    const { session, ctx } = await openAsking({
      url: "https://openalex.example",
      root,
      env: { OPENALEX_API_KEY: "k", WRIT_OPENALEX_EMAIL: "a@b.c" },
    });
    expect(ctx.warnings.map((one) => one.code)).toEqual(["W_CREDENTIAL_WITHHELD"]);
    expect(session.usage().key_used).toBe(false);
    expect(JSON.stringify([session.access.headers, session.access.contact])).not.toMatch(/Bearer|a@b/);
  });

  test("RL-65: without a key, a refused cursor turns into pages by number, and is not refused twice", async () => {
    const to = await service();
    to.fake.behaviour.cursorNeedsKey = true;
    const first = await search(to, { word: "bulk", limit: 250 });
    expect(first.ids).toHaveLength(250);
    expect(first.ctx.warnings.map((one) => one.code)).toEqual(["W_KEYLESS"]);
    expect(to.fake.requests.map(({ query }) => query.page ?? query.cursor)).toEqual(["*", "1", "2", "3"]);
    const again = await search(to, { word: "bulk", limit: 250 });
    expect([again.ids.length, again.usage.requests]).toEqual([250, 0]);
  });
});

describe("pages", () => {
  test("RL-73: an answer is on the disk before it is used, and the same question is not asked again", async () => {
    const to = await service();
    const first = await search(to, { word: "bulk", limit: 250 });
    expect(to.fake.requests.map(({ query }) => query.per_page)).toEqual(["100", "100", "50"]);
    const again = await search(to, { word: "bulk", limit: 250 });
    expect(again.ids).toEqual(first.ids);
    expect(again.usage).toMatchObject({ requests: 0, from_store: 3, attempts: 0, cost_usd: 0 });
    expect(again.usage).toHaveProperty("oldest_page_at");
    expect(to.fake.requests).toHaveLength(3);
    expect(filesBelow(`${to.root}/pages`)).toHaveLength(3);
  });

  test("RL-73: an answer is old after a day, a refresh asks again, and a run keeps its own pages", async () => {
    const to = await service();
    const start = Date.parse("2026-01-10T00:00:00Z");
    await search(to, { now: start, session: { run: { id: "rr_1" } } });
    const at = (hours: number, session = {}) => search(to, { now: start + hours * 3_600_000, session });
    expect((await at(23)).usage.requests).toBe(0);
    expect((await at(25, { run: { id: "rr_1" } })).usage.requests).toBe(0);
    expect((await at(1, { run: { id: "rr_1" }, refresh: true })).usage.requests).toBe(0);
    expect((await at(25)).usage.requests).toBe(1);
    expect((await at(26, { refresh: true })).usage.requests).toBe(1);
  });

  test("RL-73: a page that cannot be read is asked for again", async () => {
    const to = await service();
    const { keys } = await search(to);
    const { writeFileSync } = await import("node:fs");
    writeFileSync(pageFile(`${to.root}/pages`, keys[0] ?? ""), "no gzip");
    const { ids, usage } = await search(to);
    expect([ids.length, usage.requests]).toEqual([4, 1]);
  });

  test("RL-74: after a failure only the rest is asked for", async () => {
    const to = await service();
    to.fake.script({ match: ({ query }) => query.per_page === "50", status: 500, times: 3 });
    await failureOf(search(to, { word: "bulk", limit: 250 }));
    const { ids, usage } = await search(to, { word: "bulk", limit: 250 });
    expect(new Set(ids).size).toBe(250);
    expect(usage).toMatchObject({ requests: 1, from_store: 2 });
  });

  test("RL-74: a token that is no longer taken starts the series once more", async () => {
    const to = await service(refusedCursor);
    const { ids } = await search(to, { word: "bulk", limit: 250 });
    expect(new Set(ids).size).toBe(250);
    expect(to.fake.requests.map(({ query }) => query.cursor === "*")).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  test("RL-65: an empty page ends a series, whatever its cursor says", async () => {
    const to = await service({ change: emptyPage });
    const { ids } = await search(to);
    expect([ids, to.fake.requests.length]).toEqual([[], 1]);
  });

  test("RL-73: offline, a stored page of any age is used and a missing one is said", async () => {
    const to = await service();
    const start = Date.parse("2026-01-10T00:00:00Z");
    await search(to, { now: start });
    const later = { now: start + 40 * 86_400_000, session: { offline: true } };
    expect((await search(to, later)).ids).toHaveLength(4);
    expect(await failureOf(search(to, { ...later, word: "bulk" }))).toMatchObject({
      code: "E_OFFLINE_MISS",
      exit_code: 4,
      details: { missing: 1 },
    });
    expect(to.fake.requests).toHaveLength(1);
  });
});

describe("cost", () => {
  test("RL-76: prices and what is left are read from the answers", async () => {
    const to = await service();
    Object.assign(to.fake.behaviour, { credits: 10, remainingUsd: 0.05, limitUsd: 1 });
    const { usage, ctx, rows } = await search(to);
    expect(usage).toMatchObject({
      source: "openalex",
      requests: 1,
      cost_usd: 0.001,
      credits: 1,
      remaining_credits: 9,
      remaining_usd: 0.049,
      resets_in_seconds: 3600,
      key_used: false,
    });
    expect(ctx.warnings.map((one) => one.code)).toEqual(["W_BUDGET_LOW"]);
    expect(rows).toMatchObject([{ status: 200, costUsd: 0.001, credits: 1, fromStore: false }]);
  });

  test("RL-78: no request is sent that would pass the limit, and what has come is kept", async () => {
    const to = await service();
    const wanted = { word: "bulk", limit: 250 };
    const failure = await failureOf(search(to, { ...wanted, session: { maxCostUsd: 0.002 } }));
    expect(failure).toMatchObject({
      code: "E_BUDGET_EXCEEDED",
      category: "policy",
      exit_code: 2,
      details: { spent_usd: 0.002, limit_usd: 0.002, resume: "writ research seed --equation alpha" },
    });
    expect(to.fake.requests).toHaveLength(2);
    expect((await search(to, wanted)).ids).toHaveLength(250);
    expect(to.fake.requests).toHaveLength(3);
  });

  test("RL-164: a call that is given up stops before the next request", async () => {
    const controller = new AbortController();
    const to = await service();
    to.fake.script({ times: 1, reached: () => {} }, { times: 1, reached: () => controller.abort() });
    await expect(search(to, { word: "bulk", limit: 250, signal: controller.signal })).rejects.toThrow(
      /abort|E_CANCELLED/i,
    );
    expect(to.fake.requests).toHaveLength(2);
    expect((await search(to, { word: "bulk", limit: 250 })).usage).toMatchObject({ from_store: 1 });
  });

  test("RL-163: fetching tells its pages and what they cost", async () => {
    const to = await service();
    const { ctx } = await search(to);
    expect(ctx.progress).toMatchObject([{ phase: "fetch", done: 1, usage: { cost_usd: 0.001 } }]);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json.gz"))
    .map((name) => readFileSync(join(folder, name)) && name);
}
