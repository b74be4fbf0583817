import type { Context } from "hono";
import type { HttpEnv, HttpOptions } from "./options.ts";
import { refuse } from "./refusal.ts";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** True for names and addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return loopback.has(host) || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Scheme and host as the client wrote them; a named proxy is believed, nobody else. */
export function addressed(c: Context<HttpEnv>, options: HttpOptions): { scheme: string; host: string } {
  const trusted = hasProxies(options) && isProxy(peerOf(c), options);
  const forwarded = (name: string) => (trusted ? c.req.header(name)?.split(",").at(-1)?.trim() : undefined);
  return {
    scheme: forwarded("x-forwarded-proto") === "https" ? "https" : "http",
    host: (forwarded("x-forwarded-host") ?? c.req.header("host") ?? "").toLowerCase(),
  };
}

/** True unless the request came from this machine itself: a proxy passes on what others send. */
export function isRemote(c: Context<HttpEnv>, options: HttpOptions): boolean {
  const peer = peerOf(c);
  return peer === undefined || !isLoopback(peer) || (hasProxies(options) && isProxy(peer, options));
}

function hasProxies({ trustedProxies = [] }: HttpOptions): boolean {
  return trustedProxies.length > 0;
}

/** The address at the other end of the socket; undefined once it is gone. */
function peerOf(c: Context<HttpEnv>): string | undefined {
  return c.env?.incoming?.socket.remoteAddress?.replace(/^::ffff:/, "");
}

/** The address of this machine at this end of the socket, as it stands in Host. */
function localOf(c: Context<HttpEnv>): string | undefined {
  const local = c.env?.incoming?.socket.localAddress?.replace(/^::ffff:/, "");
  return local?.includes(":") ? `[${local}]` : local;
}

function isProxy(peer: string | undefined, { trustedProxies = [] }: HttpOptions): boolean {
  return peer !== undefined && trustedProxies.includes(peer);
}

/**
 * Refuses a request that a web page of another site could have sent: a name that was rebound to this
 * machine stands in Host, and a foreign page in Origin.
 */
export function checkAddresses(c: Context<HttpEnv>, options: HttpOptions): void {
  const { scheme, host } = addressed(c, options);
  const port = c.env?.incoming?.socket.localPort ?? options.port ?? 80;
  const named = options.hosts ?? [];
  if (!isOurs(host, { port, named, local: localOf(c) })) throw foreign("Host", host);
  const origin = c.req.header("origin");
  if (origin !== undefined && origin.toLowerCase() !== `${scheme}://${host}`) throw foreign("Origin", origin);
}

interface Ours {
  port: number;
  named: readonly string[];
  /** The address the client came to: no web page can rebind a name to it and still have it in Host. */
  local: string | undefined;
}

function isOurs(host: string, { port, named, local }: Ours): boolean {
  const [, name = "", given] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [];
  if (loopback.has(name) || (local !== undefined && name === local)) return Number(given ?? 80) === port;
  return named.some((one) => one.toLowerCase() === host || one.toLowerCase() === name);
}

function foreign(header: string, value: string) {
  return refuse(403, "E_ORIGIN_REFUSED", {
    message: `The request's ${header} is not this server's.`,
    cause: `${header} is "${value.slice(0, 100)}".`,
    remediation:
      "Call the address that the server printed when it started, from its own page or without Origin. Another name it is known by: writ serve --allowed-host writ.example.org",
  });
}
