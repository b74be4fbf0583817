import type { Context, Hono } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { envelope } from "../../contract/index.ts";
import { addressed } from "./addresses.ts";
import { answer } from "./answer.ts";
import { admit, cookieName, sessionOf } from "./authenticate.ts";
import type { Http, HttpEnv } from "./options.ts";
import { css } from "./page/css.ts";
import { html, icon, refusalPage } from "./page/html.ts";
import { script } from "./page/script.ts";
import { refuse } from "./refusal.ts";

const files = {
  "/": { text: html, type: "text/html; charset=utf-8" },
  "/icon.svg": { text: icon, type: "image/svg+xml" },
  "/page.css": { text: css, type: "text/css; charset=utf-8" },
  "/page.js": { text: script, type: "text/javascript; charset=utf-8" },
};

/** Mounts the page, its one-time login and its session. The page itself holds no secret and needs no login. */
export function mountPage(app: Hono<HttpEnv>, http: Http): void {
  for (const [path, { text, type }] of Object.entries(files)) {
    app.get(path, (c) => {
      c.set("route", "page");
      return c.body(text, 200, { "Content-Type": type, "Cache-Control": "no-cache" });
    });
  }
  app.on(["GET", "POST"], "/login", (c) => login(c, http));
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

function login(c: Context<HttpEnv>, http: Http): Response {
  c.set("route", "login");
  // A preview of the link must not use it up.
  if (c.req.method === "HEAD") return c.body(null, 204);
  const session = http.sessions.redeem(c.req.query("code") ?? "");
  if (!session) {
    const refusal = {
      message: "This login link has been used, or is too old.",
      cause: "A link opens one session, within ten minutes of its making.",
      remediation: "For a new link, stop the server where it runs (Ctrl-C) and start it again: writ up",
    };
    if (!/\btext\/html\b/i.test(c.req.header("accept") ?? "")) throw refuse(401, "E_AUTH_REQUIRED", refusal);
    return c.html(refusalPage(refusal), 401, { "Cache-Control": "no-store" });
  }
  setCookie(c, cookieName(c, http), session.id, {
    httpOnly: true,
    sameSite: "Strict",
    path: "/",
    secure: addressed(c, http.options).scheme === "https",
    maxAge: Math.floor((session.expiresAt - http.deps.clock.now()) / 1000),
  });
  return c.redirect("/", 303);
}
