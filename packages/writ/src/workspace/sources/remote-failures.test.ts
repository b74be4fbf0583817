import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { startGitHttpServer, type GitServerBehaviour } from "../../../../../test/fixtures/git-http-server.ts";
import { noise } from "../../../../../test/fixtures/noise.ts";
import { makeHost } from "../../../../../test/fixtures/repositories.ts";
import { fixtureEnvironment } from "../../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { openTestGit } from "../../../../../test/fixtures/test-git.ts";
import { openCache, STACK_REPOSITORY_BYTES, type Cache } from "./cache.ts";

function openTestCache(folder: string, more: Parameters<typeof openTestGit>[1] = {}): Cache {
  return openCache({
    folder: `${folder}/cache`,
    git: openTestGit(folder, more),
    lockWaitMs: 30_000,
    command: "test",
  });
}

const table: [behaviour: GitServerBehaviour, expected: Record<string, unknown>, tries: number][] = [
  [{ status: 401, headers: { "www-authenticate": "Basic" } }, { code: "E_AUTH_REQUIRED" }, 1],
  [{ password: { user: "ana", password: "right" } }, { code: "E_AUTH_REQUIRED" }, 1],
  [{ status: 403 }, { code: "E_AUTH_REQUIRED" }, 1],
  [{ status: 404 }, { code: "E_REPO_NOT_FOUND" }, 1],
  [{ html: true }, { code: "E_REPO_NOT_FOUND" }, 1],
  [
    { status: 429, headers: { "retry-after": "17" } },
    { code: "NETWORK_ERROR", subcode: "RATE_LIMITED", retry_after_seconds: 17, retryable: true },
    3,
  ],
  [{ status: 429 }, { code: "NETWORK_ERROR", subcode: "RATE_LIMITED" }, 3],
  [{ status: 500 }, { code: "NETWORK_ERROR", retryable: true }, 3],
  [{ status: 504 }, { code: "NETWORK_ERROR", subcode: "UPSTREAM_TIMEOUT", retryable: false }, 1],
  [{ stall: true }, { code: "NETWORK_ERROR", subcode: "UPSTREAM_TIMEOUT", retryable: false }, 1],
];

test.each(table)(
  "WS-50: a server that answers %j gives %j after %i tries",
  async (behaviour, expected, tries) => {
    using temp = tempFolder();
    makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
    await using server = await startGitHttpServer(temp.file("host"));
    server.behave(behaviour);
    const cache = openTestCache(temp.path, behaviour.stall ? { networkTimeoutMs: 500 } : {});
    const error = await failureOf(cache, `${server.url}/t/core.git`);
    expect(error).toMatchObject(expected);
    expect(server.requests.length).toBe(tries);
  },
);

test("WS-50: a stream that is cut is a network failure that may pass; a later try brings everything", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: noise(300_000) } });
  await using server = await startGitHttpServer(temp.file("host"));
  server.behave({ cutAfterBytes: 2_000 });
  const cache = openTestCache(temp.path);
  const url = `${server.url}/t/core.git`;
  expect(await failureOf(cache, url)).toMatchObject({ code: "NETWORK_ERROR", retryable: true });
  server.behave({});
  expect((await cache.fetch({ url, label: "t/core" })).refs.get("refs/heads/main")).toBe(repo.tip());
});

test("WS-50: a port where nobody listens is a network failure that may pass", async () => {
  using temp = tempFolder();
  const url = `http://127.0.0.1:${await freePort()}/t/core.git`;
  const error = await failureOf(openTestCache(temp.path), url);
  expect(error).toMatchObject({
    code: "NETWORK_ERROR",
    retryable: true,
    details: { attempts: 3, source: "t/core" },
  });
  expect(error).not.toHaveProperty("subcode");
});

test("WS-50: a file URL that leads nowhere is E_REPO_NOT_FOUND", async () => {
  using temp = tempFolder();
  expect(await failureOf(openTestCache(temp.path), `file://${temp.file("nosuch.git")}`)).toMatchObject({
    code: "E_REPO_NOT_FOUND",
  });
});

test("WS-50: a credential helper of the user is asked, and its password is accepted", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" } });
  await using server = await startGitHttpServer(temp.file("host"));
  server.behave({ password: { user: "ana", password: "right" } });
  const config = temp.file("gitconfig");
  writeFileSync(config, `[credential]\n\thelper = "!f() { echo username=ana; echo password=right; }; f"\n`);
  const cache = openTestCache(temp.path, { env: { ...fixtureEnvironment, GIT_CONFIG_GLOBAL: config } });
  const refs = await cache.fetch({ url: `${server.url}/t/core.git`, label: "t/core" });
  expect(refs.refs.get("refs/heads/main")).toBe(repo.tip());
});

test("WS-46: smart and dumb servers and file URLs bring the same refs", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" }, branches: ["dev"] });
  repo.tag("v1", { message: "one" });
  await using server = await startGitHttpServer(temp.file("host"));
  const url = `${server.url}/t/core.git`;
  const overFile = await openTestCache(temp.file("1")).fetch({ url: repo.url, label: "t/core" });
  const smart = await openTestCache(temp.file("2")).fetch({ url, label: "t/core" });
  server.behave({ dumb: true });
  const dumb = await openTestCache(temp.file("3")).fetch({ url, label: "t/core" });
  expect(smart).toEqual(overFile);
  expect(dumb).toEqual(overFile);
  expect(server.requests.some((request) => request.includes("/objects/"))).toBe(true);
});

test("WS-46: a stack that was fetched before is asked with one question, and tells the same refs", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { a: "1" }, branches: ["dev"] });
  repo.tag("v1", { message: "one" });
  await using server = await startGitHttpServer(temp.file("host"));
  const cache = openTestCache(temp.path);
  const ask = async () => {
    const before = server.requests.length;
    const url = `${server.url}/t/core.git`;
    const refs = await cache.fetch({ url, label: "core" }, { maxBytes: STACK_REPOSITORY_BYTES });
    return { refs, asked: server.requests.length - before };
  };
  const first = await ask();
  expect(await ask()).toEqual({ refs: first.refs, asked: 1 });
  repo.commit({ files: { a: "2" } });
  expect((await ask()).refs.refs.get("refs/heads/main")).toBe(repo.tip());
});

const oid = "1".repeat(40);

test.each<[title: string, behaviour: GitServerBehaviour, expected: Record<string, unknown>]>([
  [
    "leads to a file",
    { status: 302, headers: { location: "file:///etc/passwd" } },
    { cause: /Protocol "file"/ },
  ],
  [
    "leads to a helper",
    { status: 302, headers: { location: "ext::sh -c id" } },
    { cause: /unable to access/ },
  ],
  ["leads around in circles", { status: 302, headers: { location: "?again" } }, { cause: /redirect/i }],
  [
    "refuses in words that drive a terminal",
    { advertise: ["ERR \u001b]0;own\u0007\u009b31m\u202egpj denied\n"] },
    { cause: /remote error: [^\p{Cc}\u202a-\u202e]*denied$/u },
  ],
  ["is no line", { advertise: [`${oid} HEAD\0agent=x\n`, "zzz\n"] }, { cause: /fatal: / }],
  [
    "promises what it does not have",
    { advertise: [`${oid} HEAD\0symref=HEAD:refs/heads/main agent=x\n`, `${oid} refs/heads/main\n`] },
    { cause: /\S/ },
  ],
])(
  "WS-50: an answer that %s is a network failure, and leaves nothing in the cache",
  async (_title, behaviour, { cause }) => {
    using temp = tempFolder();
    await using server = await startGitHttpServer(temp.file("host"));
    server.behave(behaviour);
    const error = await failureOf(openTestCache(temp.path), `${server.url}/t/core.git`);
    expect(error).toMatchObject({ code: "NETWORK_ERROR", cause: expect.stringMatching(cause as RegExp) });
    expect(readdirSync(temp.file("cache/tmp"))).toEqual([]);
  },
);

async function failureOf(cache: Cache, url: string): Promise<Record<string, unknown>> {
  const error: unknown = await cache.fetch({ url, label: "t/core" }).catch((thrown: unknown) => thrown);
  return (error as { toObject(): Record<string, unknown> }).toObject();
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
