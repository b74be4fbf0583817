import { fail, nearest } from "../../contract/index.ts";
import { parsePath } from "./paths.ts";
import { quote, refuse, type Parsed } from "./problem.ts";
import { parseAtRef, type Want } from "./refs.ts";
import { barePath, looksLikeUrl, parseUrl, printUrl, type UrlPolicy } from "./urls.ts";

export type { Want } from "./refs.ts";

/** What a text names as the origin of a stack or repository. */
export type Source =
  | { kind: "repo"; org: string; repo: string }
  /** `instead`: the repository meant when the registry has no such shortcut (the `{org}` form). */
  | { kind: "shortcut"; name: string; instead?: { org: string; repo: string } }
  | { kind: "url"; url: string }
  | { kind: "path"; path: string };

/** A source that needs no registry. */
export type Resolvable = Exclude<Source, { kind: "shortcut" }>;

export const shortcutPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const tokenPattern = /^(?!\.{1,2}$)[A-Za-z0-9_.][A-Za-z0-9_.-]{0,99}$/;
export const defaultStackRepo = "agent-stack";

/** Why a text cannot be an org, repository or module name. */
export function parseToken(text: string, what: string): Parsed<string> {
  if (/[/\\\u0000-\u001f\u007f]/.test(text) || text === "." || text === "..") {
    return refuse("unsafe_path", `${what} ${quote(text)} would leave its folder`, {
      hint: "one plain name without / or \\",
    });
  }
  const place = parsePath(text);
  if (text !== "" && place.fault) return place;
  if (!tokenPattern.test(text)) {
    return refuse("value", `${what} ${quote(text)} is not letters, digits, ., _ and -, at most 100`);
  }
  if (/\.(?:git|lock)$/i.test(text)) {
    return refuse("value", `${what} ${quote(text)} ends in .git or .lock`, {
      hint: text.replace(/\.(?:git|lock)$/i, ""),
    });
  }
  return { value: text };
}

/** Reads `org/repo`: exactly two names. */
export function parseRepo(text: string): Parsed<{ kind: "repo"; org: string; repo: string }> {
  const parts = text.split("/");
  if (text.startsWith("/") || text.includes("\\") || parts.includes(".") || parts.includes("..")) {
    return refuse("unsafe_path", `${quote(text)} reads like a path`, {
      hint: "org/repo, or {path: ../folder} for a local folder",
    });
  }
  const [org, repo, more] = parts;
  if (org === undefined || repo === undefined || more !== undefined) {
    return refuse("value", `${quote(text)} is not org/repo`, { hint: "exactly one /" });
  }
  const owner = parseToken(org, "the org");
  if (owner.fault) return owner;
  const name = parseToken(repo, "the repository");
  return name.fault ? name : { value: { kind: "repo", org, repo } };
}

/** Reads a source as a string: a shortcut, `org/repo` or a git URL; never a local path. */
export function parseSource(text: string, policy: UrlPolicy = {}): Parsed<Exclude<Source, { kind: "path" }>> {
  if (looksLikeUrl(text)) {
    const url = parseUrl(text, policy);
    return url.fault ? url : { value: { kind: "url", url: text } };
  }
  if (/[/\\\u0000-\u001f\u007f]/.test(text) || /^\.{1,2}$/.test(text)) return parseRepo(text);
  if (shortcutPattern.test(text)) return { value: { kind: "shortcut", name: text } };
  return refuse("value", `${quote(text)} is neither a shortcut, org/repo nor a git URL`);
}

/** Reads a source with an optional `@ref` behind it; a URL carries none. */
export function parseSourceAtRef(
  text: string,
  policy: UrlPolicy = {},
): Parsed<{ source: Exclude<Source, { kind: "path" }>; want: Want }> {
  const at = looksLikeUrl(text) ? -1 : text.indexOf("@");
  const source = parseSource(at < 0 ? text : text.slice(0, at), policy);
  if (source.fault) return source;
  if (at < 0) return { value: { source: source.value, want: "default" } };
  const want = parseAtRef(text.slice(at + 1));
  return want.fault ? want : { value: { source: source.value, want: want.value } };
}

/** Replaces a shortcut by the repository the registry gives it; refuses one it does not have. */
export function resolveShortcut(source: Source, shortcuts: Readonly<Record<string, string>>): Resolvable {
  if (source.kind !== "shortcut") return source;
  const target = Object.hasOwn(shortcuts, source.name) ? shortcuts[source.name] : undefined;
  const [org, repo] = target?.split("/") ?? [];
  if (org !== undefined && repo !== undefined) return { kind: "repo", org, repo };
  if (source.instead) return { kind: "repo", ...source.instead };
  const available = Object.keys(shortcuts).sort();
  const near = nearest(source.name, available);
  throw fail("E_UNKNOWN_SHORTCUT", {
    message: `The registry has no shortcut ${quote(source.name)}.`,
    cause: `It declares ${available.join(", ") || "none"}.`,
    remediation:
      near === undefined ? "List them: writ shortcuts" : `Write ${near}, or list them: writ shortcuts`,
    details: { shortcut: source.name, available, ...(near !== undefined && { nearest: near }) },
  });
}

/** True when only the registry can say what the source is. */
export function needsRegistry(source: Source): boolean {
  return source.kind === "shortcut";
}

/** What a source is called in flags, data and references when no other shares the name. */
export function labelOf(source: Source): string {
  if (source.kind === "shortcut") return source.name;
  if (source.kind === "repo") return `${source.org}/${source.repo}`;
  if (source.kind === "path") return normalisePath(source.path);
  return lastTwo(source.url);
}

/** Labels of several sources, in order; URLs that share their last two segments get their host in front. */
export function labelsOf(sources: readonly Source[]): string[] {
  const plain = sources.map(labelOf);
  return sources.map((source, at) => {
    const label = plain[at] ?? "";
    const shared = plain.filter((other) => other === label).length > 1;
    if (!shared || source.kind !== "url") return label;
    const url = parseUrl(source.url, { allowFile: true }).value;
    return url ? `${url.host || "file"}/${label}` : label;
  });
}

function lastTwo(text: string): string {
  const url = parseUrl(text, { allowFile: true }).value;
  return url ? barePath(url).split("/").slice(-2).join("/") : text;
}

/** The text a lock and the data of a command keep: `org/repo`, the URL, or `path:<relative>`. */
export function repoText(source: Resolvable): string {
  if (source.kind === "repo") return `${source.org}/${source.repo}`;
  return source.kind === "url" ? source.url : `path:${normalisePath(source.path)}`;
}

/** Reads what {@link repoText} wrote. */
export function parseRepoText(text: string, policy: UrlPolicy = {}): Parsed<Resolvable> {
  if (text.startsWith("path:")) {
    const path = text.slice("path:".length);
    return path === "" ? refuse("value", "path: names no folder") : { value: { kind: "path", path } };
  }
  if (!looksLikeUrl(text)) return parseRepo(text);
  const url = parseUrl(text, { ...policy, allowFile: true });
  return url.fault ? url : { value: { kind: "url", url: text } };
}

/** The base of `org/repo`: WRIT_GIT_BASE, else GitHub. */
export const defaultBase = "https://github.com";

/** Checks a base as the user's own text: any URL a source may have, or `user@host:` alone. */
export function parseBase(text: string | undefined, policy: UrlPolicy = {}): Parsed<string> {
  const base = (text ?? "").trim() || defaultBase;
  const trimmed = base.replace(/\/+$/, "");
  const url = parseUrl(`${join(trimmed)}org/repo.git`, { ...policy, allowFile: true });
  return url.fault ? url : { value: trimmed };
}

function join(base: string): string {
  // `git@host:` is a base of its own; a slash behind the colon would make the path absolute.
  return base.endsWith(":") ? base : `${base}/`;
}

/** The text git is given for a source; a local path as it is. */
export function urlOf(source: Resolvable, base: string): string {
  if (source.kind === "repo") return `${join(base)}${source.org}/${source.repo}.git`;
  return source.kind === "url" ? source.url : source.path;
}

/** The one spelling of a URL, for cache keys. Normalising twice is the same as once. */
export function normaliseUrl(text: string): string {
  const url = parseUrl(text, { allowFile: true });
  if (url.fault) {
    throw fail("E_UNSAFE_URL", {
      message: `A git URL was refused: ${url.fault.message}.`,
      cause: "Writ accepts https, ssh, user@host:path and file URLs without credentials.",
      remediation: "Use a URL such as https://github.com/org/repo, and check it: writ schema workspace",
      details: { ...url.fault.facts },
    });
  }
  return printUrl(url.value);
}

/** Host and path, whatever the protocol: two texts of one repository have one identity. */
export function identityOf(source: Source, base: string): string {
  if (source.kind === "shortcut") return `shortcut:${source.name}`;
  if (source.kind === "path") return `path:${normalisePath(source.path)}`;
  return identityOfUrl(urlOf(source, base));
}

/** The identity of a URL, e.g. of a clone's remote; undefined when it is no URL that Writ accepts. */
export function identityOfRemote(text: string): string | undefined {
  const url = parseUrl(text, { allowFile: true, protocols: ["https", "ssh", "file"] }).value;
  return url && `${url.host}${url.port === undefined ? "" : `:${url.port}`}/${barePath(url)}`;
}

function identityOfUrl(text: string): string {
  return identityOfRemote(text) ?? text;
}

/** A relative folder in its one spelling: no `.` segments, no doubled or trailing slash. */
export function normalisePath(path: string): string {
  const out: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && out.length > 0 && out.at(-1) !== "..") out.pop();
    else out.push(part);
  }
  return out.join("/") || ".";
}

/**
 * The repository a stack names as `name` or `org/name`, on the stack's own host. A stack can name neither a
 * URL nor a protocol; a local stack has no host, so its entries need an org.
 */
export function siblingOf(
  stack: Resolvable,
  sibling: { org?: string; name: string },
): Parsed<Exclude<Resolvable, { kind: "path" }>> {
  const { org, name } = sibling;
  if (stack.kind === "repo") return { value: { kind: "repo", org: org ?? stack.org, repo: name } };
  if (stack.kind === "url") return { value: { kind: "url", url: siblingUrl(stack.url, org, name) } };
  if (org !== undefined) return { value: { kind: "repo", org, repo: name } };
  return refuse("missing", `${name} needs an org: a local stack has none of its own`, { hint: `org: <org>` });
}

function siblingUrl(url: string, org: string | undefined, name: string): string {
  const ending = /\.git\/*$/i.test(url) ? ".git" : "";
  const bare = url.replace(/\/+$/, "");
  const beside = bare.slice(0, Math.max(bare.lastIndexOf("/"), bare.lastIndexOf(":")) + 1);
  if (org === undefined) return `${beside}${name}${ending}`;
  return `${rootOf(bare, beside)}${org}/${name}${ending}`;
}

function rootOf(url: string, beside: string): string {
  // A file URL has no host: its root is the folder that holds the org's folder.
  if (url.startsWith("file:")) return beside.replace(/[^/]+\/$/, "");
  const host = /^(?:[A-Za-z]+:\/\/[^/]+\/|[^/@]+@(?:\[[^\]]*\]|[^:]*):)/.exec(url);
  return host ? host[0] : beside;
}
