/** An address, taken apart: whether it stays on this machine, and what of it may be shown. */
export interface Address {
  /** As it is used: a missing scheme or port added, an unspecified host read as loopback, no slash at the end. */
  url: string;
  loopback: boolean;
  /** Scheme, host and port. */
  shown: string;
}

/**
 * Reads an address, or answers undefined. No name is resolved to find out where it leads. `fallback` gives scheme
 * and port to a bare host, for dialects whose variable may hold one.
 */
export function readAddress(text: string, fallback?: string): Address | undefined {
  const url = parse(text.trim(), fallback);
  if (!url || url.username !== "" || url.password !== "") return undefined;
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return {
    url: url.href.replace(/\/+$/, ""),
    loopback: isLoopback(url.hostname),
    shown: `${url.protocol}//${url.host}`,
  };
}

function parse(text: string, fallback: string | undefined): URL | undefined {
  if (/^https?:\/\//i.test(text) || fallback === undefined)
    return URL.canParse(text) ? new URL(text) : undefined;
  // "myhost:8000" would parse as a scheme of its own.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined;
  const base = new URL(fallback);
  const candidate = `${base.protocol}//${text}`;
  if (text === "" || !URL.canParse(candidate)) return undefined;
  const url = new URL(candidate);
  if (url.port === "" && !/:\d+$/.test(text)) url.port = base.port;
  return url;
}

/** Exactly localhost, 127.0.0.0/8 or ::1, as a parsed URL names them. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** A model that a local runtime passes on to somebody else's machine says so in its name. */
export function isServedElsewhere(model: string): boolean {
  const tag = model.slice(model.lastIndexOf(":") + 1);
  return (model.includes(":") && tag === "cloud") || model.endsWith("-cloud");
}
