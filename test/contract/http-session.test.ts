import { Script } from "node:vm";
import { expect, test } from "vitest";
import { createHttpApp } from "../../packages/writ/src/surfaces/http/index.ts";
import { awkward, createStage } from "../support/awkward.ts";
import { envelopeOf, listening, type TestServer } from "../support/http-surface.ts";
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
  for (const path of ["/", "/page.js", "/page.css", "/v1/echo/say", "/nowhere", "/healthz"]) {
    const { headers } = await server.send(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'self'")]);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});

test("RN-12: the page keeps its own policy, and its script is whole", async () => {
  await using server = await listening();
  const page = await server.send("/", { token: null });
  const html = await page.text();
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(html).toContain('<html lang="en">');
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son[a-z]+=|\sstyle=|https?:\/\//i);
  const script = await (await server.send("/page.js", { token: null })).text();
  expect(new Script(script)).toBeInstanceOf(Script);
  for (const [, id] of script.matchAll(/at\("([\w-]+)"\)/g)) expect(html).toContain(`id="${id}"`);
  const css = await (await server.send("/page.css", { token: null })).text();
  expect(css).toContain("light-dark(");
});
