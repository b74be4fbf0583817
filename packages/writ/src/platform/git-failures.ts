import { fail, type Failure, type WritError } from "../contract/index.ts";
import { kindOf, ownLines, type FailureKind, type GitFailure, type HttpTrace } from "./git-failure-kinds.ts";
import { redact } from "./redact.ts";
import { quote } from "./store-error.ts";
import { visibleLine } from "./visible.ts";

/** What a remote call asks, in the user's words. */
export interface GitSource {
  url: string;
  /** How the user names it: a shortcut, `org/repo`, a path. */
  label: string;
  /** The organisation to scaffold, when the source is a shortcut of the registry. */
  shortcutOrg?: string;
  /** How the user names another one; where workspace.yml does not name it. */
  correct?: string;
}

export interface FailedCall {
  command: string;
  source?: GitSource;
  timeoutMs: number;
}

const traceLine = /^\d\d:\d\d:\d\d\.\d+ \S+:\d+ +(?:=> Send|<= Recv|== Info)/;

/** Takes the trace of the HTTP exchange out of stderr, and the last status out of the trace. */
export function splitTrace(stderr: string): { stderr: string; http: HttpTrace } {
  const http: HttpTrace = {};
  const said = stderr.split("\n").filter((line) => {
    if (!traceLine.test(line)) return true;
    const status = /<= Recv header: HTTP\/[\d.]+ (\d{3})/.exec(line)?.[1];
    if (status) {
      http.status = Number(status);
      delete http.retryAfterSeconds;
    }
    const after = /<= Recv header: retry-after: *(\d{1,6})\s*$/i.exec(line)?.[1];
    if (after) http.retryAfterSeconds = Number(after);
    return false;
  });
  return { stderr: said.join("\n"), http };
}

/** The one table from what git, HTTP and the C locale's text say to an error of the catalogue. */
export function classifyGitFailure(failure: GitFailure, call: FailedCall): WritError {
  if (failure.stopped === "output") return tooMuch(call);
  if (!call.source) return localFailure(failure, call);
  return describe(kindOf(failure), { failure, source: call.source, timeoutMs: call.timeoutMs });
}

interface Described {
  failure: GitFailure;
  source: GitSource;
  timeoutMs: number;
}

function describe(kind: FailureKind, described: Described): WritError {
  const { failure, source, timeoutMs } = described;
  const cause =
    failure.stopped === "timeout"
      ? `No answer within ${Math.round(timeoutMs / 1000)} s.`
      : lastWords(failure);
  switch (kind) {
    case "auth":
      return authRequired(source, cause);
    case "missing":
      return repoMissing(source, cause);
    case "unsafe":
      return fail("E_UNSAFE_URL", {
        message: `The protocol of ${source.label} is not allowed.`,
        cause,
        remediation: "Use an https or ssh URL, or widen WRIT_GIT_PROTOCOLS.",
        details: { source: source.label, reason: "protocol" },
      });
    case "owner":
      return fail("STORE_ERROR", {
        message: `${source.label} belongs to another user, and git does not read it.`,
        cause,
        remediation: `If you trust its owner: git config --global --add safe.directory ${quote(pathOf(source.url))}`,
        details: { source: source.label },
      });
    case "disk":
      return fail("STORE_ERROR", {
        message: `${source.label} could not be stored in the cache.`,
        cause,
        remediation: "Free disk space, or name another cache folder in WRIT_CACHE_DIR; writ cache prune",
        details: { source: source.label },
      });
    case "host_key":
    case "rate_limited":
    case "timeout":
    case "passing":
    case "network":
      return fail("NETWORK_ERROR", {
        cause,
        details: { source: source.label },
        ...networkFailures[kind](described),
      });
  }
}

type NetworkFailure = Omit<Failure, "cause" | "details">;

const networkFailures: Record<
  Extract<FailureKind, "host_key" | "rate_limited" | "timeout" | "passing" | "network">,
  (described: Described) => NetworkFailure
> = {
  host_key: ({ source }) => ({
    message: `The host of ${source.label} is not known to ssh, or its key has changed.`,
    remediation: `Connect once and compare the key: ssh -T ${sshTarget(source.url)}`,
    retryable: false,
  }),
  rate_limited({ failure, source }) {
    const after = failure.http.retryAfterSeconds;
    return {
      subcode: "RATE_LIMITED",
      message: `The host of ${source.label} refused the request: too many requests.`,
      remediation: `Wait ${after === undefined ? "a minute" : `${after} s`} and run the command again.`,
      ...(after !== undefined && { retryAfterSeconds: after }),
    };
  },
  timeout: ({ source }) => ({
    subcode: "UPSTREAM_TIMEOUT",
    message: `The host of ${source.label} did not answer in time.`,
    remediation: "Check the connection and the host; a higher limit is set with WRIT_GIT_TIMEOUT.",
    retryable: false,
  }),
  passing: ({ source }) => ({
    message: `${source.label} could not be reached.`,
    remediation: "Check the connection and run the command again, or work from the cache with --offline.",
  }),
  network: ({ source }) => ({
    message: `${source.label} could not be fetched.`,
    remediation: "Read the cause; writ doctor checks git and the cache.",
    retryable: false,
  }),
};

/** Who comes from another tool looks for that command; this version says that it is not there yet. */
function notMadeHere(org: string): string {
  return `create the repository at the forge (this version does not yet have: writ scaffold stack ${org}).`;
}

function authRequired(source: GitSource, cause: string): WritError {
  const scaffold = source.shortcutOrg ? ` If it does not exist yet, ${notMadeHere(source.shortcutOrg)}` : "";
  return fail("E_AUTH_REQUIRED", {
    message: `${source.label} is private, or does not exist.`,
    cause,
    remediation: `${loginCommand(source.url)}${scaffold}`,
    details: { source: source.label },
  });
}

function repoMissing(source: GitSource, cause: string): WritError {
  if (source.shortcutOrg) {
    return fail("E_LAZY_STACK", {
      message: `The repository behind the shortcut ${source.label} does not exist.`,
      cause,
      remediation: `Take the entry out of workspace.yml, or ${notMadeHere(source.shortcutOrg)}`,
      details: { source: source.label },
    });
  }
  return fail("E_REPO_NOT_FOUND", {
    message: `The repository ${source.label} does not exist.`,
    cause,
    remediation: `${source.correct ?? "Check its spelling in workspace.yml"}, and check WRIT_GIT_BASE.`,
    details: { source: source.label },
  });
}

function localFailure(failure: GitFailure, call: FailedCall): WritError {
  const text = ownLines(failure.stderr);
  const broken = /corrupt|bad object|missing (blob|tree|commit)|unable to read|not a valid object/i.test(
    text,
  );
  const cause =
    failure.stopped === "timeout"
      ? `It was stopped after ${Math.round(call.timeoutMs / 1000)} s.`
      : lastWords(failure);
  return fail(broken ? "E_INTEGRITY" : "STORE_ERROR", {
    message: broken ? "A cached repository is damaged." : `git ${call.command} failed.`,
    cause,
    remediation: broken
      ? "Remove it and fetch again: writ cache prune --all"
      : "Read the cause; writ doctor checks git.",
  });
}

function tooMuch(call: FailedCall): WritError {
  return fail("E_LIMIT", {
    message: `git ${call.command} answered more than Writ takes in.`,
    cause: "Its output passed the bound of 64 MiB.",
    remediation: "Exclude the source, or use a smaller repository.",
    details: { limit: 64 * 1024 * 1024, ...(call.source && { source: call.source.label }) },
  });
}

function loginCommand(url: string): string {
  const host = hostOf(url);
  if (isSsh(url)) return `Load a key that ${host} accepts (ssh-add), then try it: ssh -T ${sshTarget(url)}`;
  if (host === "github.com") return "Log in: gh auth login";
  if (host === "gitlab.com") return "Log in: glab auth login";
  return `Store a credential for ${host || "this host"}: git credential approve`;
}

function isSsh(url: string): boolean {
  return /^ssh:/i.test(url) || !url.includes("://");
}

function hostOf(url: string): string {
  if (URL.canParse(url) && url.includes("://")) return new URL(url).hostname;
  return /^(?:[^@/]+@)?([^:/]+):/.exec(url)?.[1] ?? "";
}

function pathOf(url: string): string {
  return /^file:/i.test(url) && URL.canParse(url) ? decodeURIComponent(new URL(url).pathname) : url;
}

function sshTarget(url: string): string {
  const user = /^(?:ssh:\/\/)?([A-Za-z0-9._-]+)@/.exec(url)?.[1] ?? "git";
  return `${user}@${hostOf(url)}`;
}

function lastWords(failure: GitFailure): string {
  const lines = ownLines(failure.stderr)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const status = failure.http.status && failure.http.status >= 400 ? `HTTP ${failure.http.status}. ` : "";
  const told = lines.find((line) => /^(fatal|error|ssh|ERROR):/.test(line)) ?? lines.at(-1);
  const text = `${status}${told ?? `git ended with exit code ${failure.code ?? "none"}.`}`;
  // Redacted before it is cut: half a secret would not be known for one.
  return visibleLine(withoutFolders(redact(text)).slice(0, 500));
}

// Of an absolute path only the last part is shown; a URL's path is left as it is.
function withoutFolders(text: string): string {
  return text.replace(/(?<![\w:/.])\/(?:[^\s/'":]+\/)+/g, "…/");
}
