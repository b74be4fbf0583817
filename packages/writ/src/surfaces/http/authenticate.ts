import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { addressed } from "./addresses.ts";
import type { Caller, Http, HttpEnv } from "./options.ts";
import { refuse } from "./refusal.ts";
import type { Session } from "./sessions.ts";

/** The header in which the page repeats its session's token. */
const csrfHeader = "X-Writ-CSRF";

/** Cookies are shared by all ports of a name, so each server has its own cookie. */
export function cookieName(c: Context<HttpEnv>, http: Http): string {
  return `writ_session_${/:(\d+)$/.exec(addressed(c, http.options).host)?.[1] ?? "default"}`;
}

/** The session of the request's cookie, if it has a living one. */
export function sessionOf(c: Context<HttpEnv>, http: Http): Session | undefined {
  const id = getCookie(c, cookieName(c, http));
  return id === undefined ? undefined : http.sessions.find(id);
}

/** Admits the caller by bearer token or by the page's session. Throws E_AUTH_REQUIRED. */
export async function admit(c: Context<HttpEnv>, http: Http): Promise<Caller> {
  const { credential, owner } = shown(c, http);
  const where = { flag: http.deps.root };
  const { role, admission } = await http.deps.authenticate(credential, where);
  return { credential, owner, where, role, admission };
}

function shown(c: Context<HttpEnv>, http: Http): Pick<Caller, "credential" | "owner"> {
  const header = c.req.header("authorization");
  if (header !== undefined) {
    const token = /^bearer +([^\s]+)$/i.exec(header)?.[1];
    return { credential: token === undefined ? {} : { token }, owner: `token ${token}` };
  }
  const session = sessionOf(c, http);
  if (!session) return { credential: {}, owner: "nobody" };
  const reads = c.req.method === "GET" || c.req.method === "HEAD";
  if (!reads && c.req.header(csrfHeader) !== session.csrf) {
    throw refuse(403, "E_ORIGIN_REFUSED", {
      message: "The request does not come from Writ's own page.",
      cause: `It came with the page's cookie and without the token that only the page knows (${csrfHeader}).`,
      remediation: "Reload the page and try again, or call with a token: Authorization: Bearer TOKEN.",
    });
  }
  return { credential: session.credential, owner: `session ${session.id}` };
}
