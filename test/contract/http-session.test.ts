import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createHttpApp } from "../../packages/writ/src/surfaces/http/index.ts";
import { cockpitPages } from "../../packages/writ/src/surfaces/http/page.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { awkward, createStage } from "../support/awkward.ts";
import { envelopeOf, listening, raw, type TestServer } from "../support/http-surface.ts";
import { surfaceDeps } from "../support/surface.ts";

async function logIn(server: TestServer): Promise<{ cookie: string; csrf: string; header: string }> {
  const link = server.serving.createLogin({ token: "owner-token" });
  const response = await fetch(link, { redirect: "manual" });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/");
  const header = response.headers.get("set-cookie") ?? "";
  const cookie = header.split(";")[0] ?? "";
  const session = await envelopeOf(
    await server.send("/session", { token: null, headers: { Cookie: cookie } }),
  );
  return { cookie, csrf: String(session.data.csrf), header };
}

test("RN-12: a login link opens one session, once, in a cookie no script reads", async () => {
  await using server = await listening();
  const link = server.serving.createLogin({ token: "owner-token" });
  expect((await fetch(link, { method: "HEAD" })).status).toBe(204);
  const response = await fetch(link, { redirect: "manual" });
  const header = response.headers.get("set-cookie") ?? "";
  expect(header).toContain("HttpOnly");
  expect(header).toContain("SameSite=Strict");
  expect(header).toContain("Path=/");
  expect(header).not.toContain("owner-token");
  const again = await fetch(link, { redirect: "manual" });
  expect(again.status).toBe(401);
  expect(again.headers.get("set-cookie")).toBeNull();
  expect((await envelopeOf(again)).error?.code).toBe("E_AUTH_REQUIRED");
});

test("RN-12: a link is good for ten minutes and a session for twelve hours", async () => {
  let now = 0;
  const deps = { ...surfaceDeps(awkward(createStage())), clock: { now: () => now } };
  const { app, http } = createHttpApp(deps, { port: 4747 });
  const headers = { Host: "127.0.0.1:4747" };
  const login = (code: string) => app.request(`/login?code=${code}`, { headers });
  const late = http.sessions.createLogin({ token: "owner-token" });
  now += 10 * 60_000;
  expect((await login(late)).status).toBe(401);
  const response = await login(http.sessions.createLogin({ token: "owner-token" }));
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const ask = () => app.request("/v1/echo/say", { headers: { ...headers, Cookie: cookie } });
  now += 12 * 3_600_000 - 1;
  expect((await ask()).status).toBe(200);
  now += 1;
  expect((await ask()).status).toBe(401);
});

test("RN-12: a request that could change something must repeat what only the page knows", async () => {
  await using server = await listening();
  const { cookie, csrf } = await logIn(server);
  const post = async (more: Record<string, string>) => {
    const headers = { Cookie: cookie, ...more };
    return (await server.send("/v1/keep", { token: null, json: { name: "cup" }, headers })).status;
  };
  expect(await post({})).toBe(403);
  expect(await post({ "X-Writ-CSRF": "guess" })).toBe(403);
  expect(server.deps.calls).toEqual([]);
  expect((await server.send("/v1/echo/say", { token: null, headers: { Cookie: cookie } })).status).toBe(200);
  expect(await post({ "X-Writ-CSRF": csrf })).not.toBe(403);
  expect(server.deps.calls.at(-1)?.credential).toEqual({ token: "owner-token" });
});

test("RN-12: a session ends when it is told to, and each port has its own cookie", async () => {
  await using server = await listening();
  const { cookie, csrf } = await logIn(server);
  expect(cookie).toMatch(new RegExp(`^writ_session_${server.serving.port}=`));
  const headers = { Cookie: cookie };
  const end = (more: Record<string, string>) =>
    server.send("/session", { token: null, method: "DELETE", headers: { ...headers, ...more } });
  expect((await end({})).status).toBe(403);
  expect((await end({ "X-Writ-CSRF": csrf })).status).toBe(204);
  expect((await server.send("/v1/echo/say", { token: null, headers })).status).toBe(401);
});

test("RN-12: a session is no way into MCP", async () => {
  let seen: Headers | undefined;
  await using server = await listening({
    mcp: async ({ headers }) => {
      seen = headers;
      return new Response("{}");
    },
  });
  const { cookie, csrf } = await logIn(server);
  await server.send("/mcp", { token: null, json: {}, headers: { Cookie: cookie, "X-Writ-CSRF": csrf } });
  expect(seen?.has("cookie")).toBe(false);
  expect(seen?.has("authorization")).toBe(false);
});

test("RN-12: every answer forbids inline scripts, other origins and framing", async () => {
  await using server = await listening();
  for (const path of ["/", "/assets/none.js", "/login", "/v1/echo/say", "/nowhere", "/healthz"]) {
    const { headers } = await server.send(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'self'")]);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});

/** The files of a built cockpit, as far as a server looks at them. */
const built = {
  "index.html": '<!doctype html><script type="module" src="/assets/app-1a.js"></script>',
  "icon.svg": "<svg></svg>",
  "assets/app-1a.js": "export {};",
  "assets/app-2b.css": "body {}",
};

function build(folder: string): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const [file, text] of Object.entries(built)) writeFileSync(join(folder, file), text);
}

const asBrowser = { token: null, headers: { Accept: "text/html,*/*;q=0.8" } };

test("RN-12: the cockpit's files are served by their names, and no other file", async () => {
  using folder = tempFolder();
  const cockpit = join(folder.path, "cockpit");
  build(cockpit);
  writeFileSync(join(folder.path, "secret.txt"), "secret");
  await using server = await listening({ cockpit });
  for (const [path, file, type, cache] of [
    ["/", "index.html", "text/html; charset=utf-8", "no-cache"],
    ["/icon.svg", "icon.svg", "image/svg+xml", "no-cache"],
    ["/assets/app-1a.js", "assets/app-1a.js", "text/javascript; charset=utf-8", /immutable/],
    ["/assets/app-2b.css", "assets/app-2b.css", "text/css; charset=utf-8", /immutable/],
  ] as const) {
    const sent = await server.send(path, { token: null });
    expect([path, await sent.text(), sent.headers.get("content-type")]).toEqual([path, built[file], type]);
    expect(sent.headers.get("cache-control")).toMatch(cache);
  }
  const { port } = server.serving;
  const headers = { Host: `localhost:${port}` };
  for (const path of [
    "/assets/none.js",
    "/assets/../../secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/index.html",
  ])
    expect([path, (await raw(port, { path, headers })).status]).toEqual([path, 404]);
});

test("RN-12: a browser gets the cockpit at the address of any page, and a program the truth", async () => {
  using folder = tempFolder();
  build(folder.path);
  await using server = await listening({ cockpit: folder.path });
  const page = await server.send("/reasoning", asBrowser);
  expect([page.status, await page.text()]).toEqual([200, built["index.html"]]);
  const json = { token: null, headers: { Accept: "application/json, */*" } };
  for (const path of ["/", ...cockpitPages]) {
    for (const headers of [{}, { Accept: "*/*" }, { Accept: "text/*" }])
      expect(await (await server.send(path, { token: null, headers })).text()).toBe(built["index.html"]);
    expect((await server.send(path, { token: null, method: "HEAD" })).status).toBe(200);
    const refused = await server.send(path, json);
    expect([refused.status, (await envelopeOf(refused)).ok]).toEqual([404, false]);
  }
  expect((await server.send("/nowhere", { token: null })).status).toBe(404);
  expect((await server.send("/v1/nowhere", { headers: asBrowser.headers })).status).toBe(404);
  expect((await server.send("/reasoning", { ...asBrowser, method: "POST" })).status).toBe(404);
  const refused = await server.send("/login?code=none", asBrowser);
  expect(await refused.text()).toContain('href="/assets/app-2b.css"');
});

test("RN-12: where the cockpit is not built the server says so, until it is", async () => {
  using folder = tempFolder();
  await using server = await listening({ cockpit: folder.path });
  const page = await server.send("/", asBrowser);
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("npm run build")]);
  expect((await server.send("/reasoning", { token: null })).status).toBe(503);
  const { error } = await envelopeOf(await server.send("/", { token: null }));
  expect(error).toMatchObject({ code: "DEPENDENCY_ERROR", message: "The page has not been built." });
  build(folder.path);
  expect((await server.send("/", asBrowser)).status).toBe(200);
});
