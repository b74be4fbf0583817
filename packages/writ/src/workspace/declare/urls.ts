import { refuse, type Parsed } from "./problem.ts";

/** The protocols a git URL may use; http stands only for this machine itself. */
export type Protocol = "https" | "ssh" | "file" | "http";

/** Which URLs are acceptable here. */
export interface UrlPolicy {
  /** WRIT_GIT_PROTOCOLS; unset means https, ssh and file. */
  protocols?: readonly string[];
  /** True where the user wrote the text; a stack may never lead to local files. */
  allowFile?: boolean;
}

/** A git URL taken apart; scp-like text is read as ssh. */
export interface GitUrl {
  protocol: Protocol;
  user?: string;
  /** Lower case; empty for file. */
  host: string;
  /** Absent when it is the protocol's own. */
  port?: string;
  /** Without leading and trailing slashes. */
  path: string;
  scp: boolean;
}

const defaultPorts: Record<Protocol, string> = { https: "443", http: "80", ssh: "22", file: "" };
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const userPattern = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;
const hostPattern = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/;

/** Reads the list of WRIT_GIT_PROTOCOLS; a word outside the default list cannot widen it. */
export function parseProtocols(text: string | undefined): readonly string[] {
  const known = ["https", "ssh", "file"];
  if (text === undefined || text.trim() === "") return known;
  const asked = text.split(",").map((word) => word.trim().toLowerCase());
  return known.filter((word) => asked.includes(word));
}

/** True when a text can only be meant as a URL: then every fault in it is one of URLs. */
export function looksLikeUrl(text: string): boolean {
  return text.includes(":");
}

function unsafe(reason: string, message: string): { fault: NonNullable<Parsed<never>["fault"]> } {
  return refuse("unsafe_url", message, {
    hint: "https://host/org/repo, ssh://git@host/org/repo or git@host:org/repo, without a password or token",
    facts: { reason },
  });
}

/** Reads a git URL; refuses everything that could run a program, hide a secret or pass for an option. */
export function parseUrl(text: string, policy: UrlPolicy = {}): Parsed<GitUrl> {
  // The text itself is never quoted in a message: it may hold a password.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text))
    return unsafe("control", "the URL holds a control character");
  if (/\s/u.test(text)) return unsafe("whitespace", "the URL holds a space");
  if (text.startsWith("-")) return unsafe("leading_dash", "the URL begins with -");
  const parts = split(text);
  if (parts.fault) return parts;
  const url = parts.value;
  const fault = faultOf(url) ?? refusalOf(url, policy);
  if (fault) return unsafe(...fault);
  return { value: normalised(url) };
}

function split(text: string): Parsed<GitUrl> {
  const full =
    /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(?:([^/@]*(?:@[^/@]*)*)@)?(\[[^\]/]*\]|[^/:@]*)(?::([^/]*))?(?:\/(.*))?$/s.exec(
      text,
    );
  if (full) {
    const [, scheme = "", user, host = "", port, path = ""] = full;
    const protocol = scheme.toLowerCase();
    if (!Object.hasOwn(defaultPorts, protocol))
      return unsafe("protocol", `the protocol ${protocol} is not allowed`);
    return { value: { protocol: protocol as Protocol, user, host, port, path, scp: false } };
  }
  if (text.includes("::") || text.includes("://"))
    return unsafe("protocol", "the URL names a helper program or no known protocol");
  const scp = /^([^/:@]+)@(\[[^\]/]*\]|[^/:@]*):(.*)$/s.exec(text);
  if (!scp) return unsafe("form", "the text is no URL that Writ accepts");
  const [, user, host = "", path = ""] = scp;
  return { value: { protocol: "ssh", user, host, path, scp: true } };
}

type Refusal = [reason: string, message: string];

function faultOf(url: GitUrl): Refusal | undefined {
  const { protocol, user, host, port, path } = url;
  if (user !== undefined && (protocol !== "ssh" || user.includes(":"))) {
    return ["credentials", "the URL holds a user name, password or token"];
  }
  if (host.startsWith("-") || path.startsWith("-") || user?.startsWith("-") || /^\/*-/.test(path)) {
    return ["leading_dash", "the host or path begins with -"];
  }
  if (user !== undefined && !userPattern.test(user)) return ["user", "the user name is not plain"];
  if (protocol === "file" ? host !== "" : !hostPattern.test(host))
    return ["host", "the host is not a plain name"];
  if (port !== undefined && !/^\d{1,5}$/.test(port)) return ["host", "the port is not a number"];
  return pathFault(path);
}

function pathFault(path: string): Refusal | undefined {
  if (path.includes("?")) return ["query", "the URL has a query"];
  if (path.includes("#")) return ["fragment", "the URL has a fragment"];
  if (path.includes("\\") || path.includes("::")) return ["path", "the path holds a backslash or ::"];
  if (/%(?![0-9A-Fa-f]{2})/.test(path) || /%(?:[01][0-9A-Fa-f]|7[Ff]|2[EeFf]|5[Cc])/.test(path)) {
    return ["path", "the path hides characters behind %"];
  }
  if (/\/\/./.test(path)) return ["path", "the path has an empty segment"];
  const bare = withoutGit(path.replace(/^\/|\/+$/g, ""));
  if (`${path}/${bare}`.split("/").some((segment) => segment === "." || segment === "..")) {
    return ["path", "the path has . or .. segments"];
  }
  return bare === "" ? ["path", "the URL names no repository"] : undefined;
}

function refusalOf(url: GitUrl, policy: UrlPolicy): Refusal | undefined {
  const { protocol, host } = url;
  if (protocol === "http") {
    return loopback.test(host.toLowerCase())
      ? undefined
      : ["protocol", "http is only allowed to this machine itself"];
  }
  if (protocol === "file" && policy.allowFile !== true) {
    return ["file", "a file URL is only allowed where you wrote it yourself"];
  }
  const allowed = policy.protocols ?? parseProtocols(undefined);
  return allowed.includes(protocol)
    ? undefined
    : ["narrowed", `WRIT_GIT_PROTOCOLS does not allow ${protocol}`];
}

function normalised(url: GitUrl): GitUrl {
  const path = url.path
    .split("/")
    .filter((segment) => segment !== "")
    .join("/");
  const port = url.port === undefined || url.port === defaultPorts[url.protocol] ? undefined : url.port;
  return { ...url, host: url.host.toLowerCase(), port, path };
}

/** The one spelling of a URL: lower-case host, no default port, no `.git`, scp-like text as ssh. */
export function printUrl(url: GitUrl): string {
  const user = url.user === undefined ? "" : `${url.user}@`;
  const port = url.port === undefined ? "" : `:${url.port}`;
  return `${url.protocol}://${user}${url.host}${port}/${barePath(url)}`;
}

/** The path of a URL without `.git`. */
export function barePath(url: GitUrl): string {
  return withoutGit(url.path);
}

function withoutGit(path: string): string {
  // Repeated, so that taking it off twice is the same as once.
  return path.replace(/(?:\/*\.git)+$/i, "");
}
