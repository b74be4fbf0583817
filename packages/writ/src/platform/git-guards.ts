import { delimiter } from "node:path";

/** What the guards of a git call are made from. */
export interface GitGuards {
  /** The caller's environment; what git must not see is left out. */
  env: Readonly<Record<string, string | undefined>>;
  /** Protocols allowed for remotes; WRIT_GIT_PROTOCOLS. */
  protocols: readonly string[];
  /** An empty folder that Writ owns, so that no hook is ever found. */
  hooksDir: string;
}

/** What one call changes of the guards. */
export interface GuardsOfCall {
  url?: string;
  writes?: boolean;
  commits?: boolean;
  alternates?: readonly string[];
  fromCache?: boolean;
  /** The user has an ssh command of their own, which is used as it is. */
  userSsh?: boolean;
  /** Where git stops looking for a repository above its folder. */
  ceiling: string;
}

const kept = /^GIT_(SSH_COMMAND|SSH|SSL_.*|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM)$/;
const keptForCommits = /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$/;
// Prompters, and Writ's own settings and tokens, which no child of git has a use for.
const dropped = /^(SSH_ASKPASS.*|WRIT_.*|LANGUAGE|LC_.*)$/;

/** The settings every git call gets; they stand above whatever a repository or the user configured. */
export function gitConfig(guards: GitGuards): string[] {
  const settings = [
    "credential.interactive=false",
    "core.askPass=",
    `core.hooksPath=${guards.hooksDir}`,
    "core.fsmonitor=false",
    "submodule.recurse=false",
    "uploadpack.packObjectsHook=",
    "safe.bareRepository=explicit",
    "gc.auto=0",
    "maintenance.auto=false",
    "color.ui=false",
    "log.showSignature=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=30",
  ];
  return settings.flatMap((setting) => ["-c", setting]);
}

/** The environment of one git call: the caller's without its GIT_ variables, and the guards. */
export function gitEnvironment(guards: GitGuards, call: GuardsOfCall): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(guards.env)) {
    if (value === undefined || dropped.test(name)) continue;
    if (name.startsWith("GIT_") && !kept.test(name) && !(call.commits && keptForCommits.test(name))) continue;
    environment[name] = value;
  }
  Object.assign(environment, {
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GIT_ALLOW_PROTOCOL: allowedProtocols(guards, call).join(":"),
    // A repository with missing objects must not fetch them by itself behind a local call.
    GIT_NO_LAZY_FETCH: "1",
    GIT_CEILING_DIRECTORIES: call.ceiling,
  });
  if (!call.writes) environment.GIT_OPTIONAL_LOCKS = "0";
  if (!call.userSsh) environment.GIT_SSH_COMMAND ??= "ssh -o BatchMode=yes -o ConnectTimeout=15";
  if (call.alternates?.length) {
    environment.GIT_ALTERNATE_OBJECT_DIRECTORIES = call.alternates.map(quoted).join(delimiter);
  }
  // Git tells neither the status nor Retry-After of every refusal; its trace does, with secrets left out.
  if (call.url && /^https?:/i.test(call.url)) {
    Object.assign(environment, { GIT_TRACE_CURL: "2", GIT_TRACE_CURL_NO_DATA: "1", GIT_TRACE_REDACT: "1" });
  }
  return environment;
}

/** True for an http URL that names this machine. */
function isLoopbackHttp(url: string): boolean {
  if (!/^http:/i.test(url) || !URL.canParse(url)) return false;
  const host = new URL(url).hostname;
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

const showsDifferences = new Set([
  "diff",
  "diff-tree",
  "diff-index",
  "diff-files",
  "log",
  "show",
  "format-patch",
]);

/** Adds to a call that may compare contents what keeps programs named by configuration from being run. */
export function withoutOutsideDiff(args: readonly string[]): string[] {
  const [command, ...rest] = args;
  if (command === undefined || !showsDifferences.has(command)) return [...args];
  return [command, "--no-ext-diff", "--no-textconv", ...rest];
}

// `env` runs what it is given, and so is the same as no hook; an empty name git would try to run. A file above the
// threshold is streamed, where git by default holds up to 512 MiB of one in memory.
const plainSender =
  "--upload-pack=git -c uploadpack.packObjectsHook=env -c core.bigFileThreshold=16m upload-pack";

/**
 * Adds to a fetch from this machine what keeps the sending git, which sees none of our settings, from running a
 * program that the user's name.
 */
export function withPlainSender(args: readonly string[], call: GuardsOfCall): string[] {
  const at = args.findIndex((word) => word === "fetch" || word === "clone");
  const isLocal = call.fromCache === true || /^file:/i.test(call.url ?? "");
  return at < 0 || !isLocal ? [...args] : [...args.slice(0, at + 1), plainSender, ...args.slice(at + 1)];
}

function allowedProtocols(guards: GitGuards, call: GuardsOfCall): string[] {
  const extra = [
    ...(call.url && isLoopbackHttp(call.url) ? ["http"] : []),
    ...(call.fromCache ? ["file"] : []),
  ];
  return [...new Set([...guards.protocols, ...extra])];
}

// Git reads the list like PATH; quotes keep a path with the separator in it whole.
function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
