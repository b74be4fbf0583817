import type { Context, Hono } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { envelope } from "../../contract/index.ts";
import { addressed } from "./addresses.ts";
import { answer } from "./answer.ts";
import { admit, cookieName, sessionOf } from "./authenticate.ts";
import type { Http, HttpEnv } from "./options.ts";
import type { Built } from "./page/built.ts";
import { type Message, messagePage } from "./page/message.ts";
import { refuse } from "./refusal.ts";

/** Mounts the cockpit's files, its one-time login and its session. The files hold no secret and need no login. */
export function mountPage(app: Hono<HttpEnv>, http: Http, built: Built): void {
  for (const path of ["/", "/icon.svg", "/assets/*"]) {
    app.get(path, (c, next) => {
      if (path === "/" && wantsJson(c)) return next();
      c.set("route", "page");
      const files = built();
      if (files.size === 0) return told(c, { status: 503, message: notBuilt, built });
      const file = files.get(c.req.path);
      return file ? c.body(file.bytes, 200, file.headers) : next();
    });
  }
  app.on(["GET", "POST"], "/login", (c) => login(c, http, built));
  app.get("/session", async (c) => {
    c.set("route", "session");
    const { role } = await admit(c, http);
    const session = sessionOf(c, http);
    return answer(envelope("", { data: { role, ...(session && { csrf: session.csrf }) } }));
  });
  app.delete("/session", async (c) => {
    c.set("route", "session");
    await admit(c, http);
    const session = sessionOf(c, http);
    if (session) http.sessions.end(session.id);
    deleteCookie(c, cookieName(c, http), { path: "/" });
    return c.body(null, 204);
  });
}

/** Where the cockpit has a page besides the first; a test compares this with what the cockpit says of itself. */
export const cockpitPages: readonly string[] = ["/reasoning"];

/**
 * The cockpit at an address that nothing else answers: one of its pages for everybody who does not ask for JSON, and
 * for a browser any that may be one. Asked when no route is found; as a route it would stand beside all others, and
 * they would be looked up the slow way.
 */
export function pageAt(c: Context<HttpEnv>, built: Built): Response | undefined {
  const { method, path } = c.req;
  const known = cockpitPages.includes(path) && !wantsJson(c);
  const possible = known || (/^\/[a-z][a-z-]*$/.test(path) && wantsPage(c));
  if (!possible || (method !== "GET" && method !== "HEAD")) return undefined;
  const page = built().get("/");
  if (!page && !known) return undefined;
  c.set("route", "page");
  if (!page) return told(c, { status: 503, message: notBuilt, built });
  return c.body(page.bytes, 200, page.headers);
}

function login(c: Context<HttpEnv>, http: Http, built: Built): Response {
  c.set("route", "login");
  // A preview of the link must not use it up.
  if (c.req.method === "HEAD") return c.body(null, 204);
  const session = http.sessions.redeem(c.req.query("code") ?? "");
  if (!session) return told(c, { status: 401, message: linkSpent, built });
  setCookie(c, cookieName(c, http), session.id, {
    httpOnly: true,
    sameSite: "Strict",
    path: "/",
    secure: addressed(c, http.options).scheme === "https",
    maxAge: Math.floor((session.expiresAt - http.deps.clock.now()) / 1000),
  });
  return c.redirect("/", 303);
}

const linkSpent: Message = {
  code: "E_AUTH_REQUIRED",
  title: "not logged in",
  message: "This login link has been used, or is too old.",
  cause: "A link opens one session, within ten minutes of its making.",
  remediation: "For a new link, stop the server where it runs (Ctrl-C) and start it again: writ up",
  link: { to: "/", text: "If you have logged in here before, the page may still be open to you." },
};

const notBuilt: Message = {
  code: "DEPENDENCY_ERROR",
  title: "not built",
  message: "The page has not been built.",
  cause: "This server runs from Writ's sources, and the page is made from them beforehand.",
  remediation: "Build it where the sources are, then reload: npm run build",
};

/** A refusal: a page for a browser, an envelope for anybody else. */
function told(c: Context<HttpEnv>, how: { status: 401 | 503; message: Message; built: Built }): Response {
  const { status, message, built } = how;
  if (!wantsPage(c)) throw refuse(status, message.code, message);
  const stylesheet = [...built().keys()].find((path) => path.endsWith(".css"));
  return c.html(messagePage(message, stylesheet), status, { "Cache-Control": "no-store" });
}

function wantsJson(c: Context<HttpEnv>): boolean {
  return /\bjson\b/i.test(c.req.header("accept") ?? "") && !wantsPage(c);
}

function wantsPage(c: Context<HttpEnv>): boolean {
  return /\btext\/html\b/i.test(c.req.header("accept") ?? "");
}
