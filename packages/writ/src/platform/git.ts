import { dirname, parse } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { fail, type WritError } from "../contract/index.ts";
import {
  gitConfig,
  gitEnvironment,
  withoutOutsideDiff,
  withPlainSender,
  type GitGuards,
  type GuardsOfCall,
} from "./git-guards.ts";
import type { HttpTrace } from "./git-failure-kinds.ts";
import { classifyGitFailure, splitTrace, type GitSource } from "./git-failures.ts";
import { specialFile } from "./git-special.ts";
import { redact } from "./redact.ts";
import { runProcess, startProcess, type RunningProcess, type Stopped } from "./process.ts";

/** How git is reached in this call of Writ: made once, at the edge, and handed down. */
export interface GitSetup extends GitGuards {
  /** Time limit of a network call; WRIT_GIT_TIMEOUT. */
  networkTimeoutMs: number;
  signal?: AbortSignal;
  /** Waits between tries; a test passes one that returns at once. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** One git call. Exactly what it needs is named; everything else is what the guards set. */
export interface GitCall {
  /** Always explicit: git never discovers a repository by itself. */
  gitDir?: string;
  workTree?: string;
  cwd?: string;
  /** Present for a call that talks to a remote: what is asked, for limits and for messages. */
  network?: GitSource;
  /** A call that changes a repository; reads take no optional lock. */
  writes?: boolean;
  /** A call that makes commits keeps the caller's author and committer. */
  commits?: boolean;
  /** Object folders to look in besides the repository's own; nothing is written there. */
  alternates?: readonly string[];
  /**
   * Git's first protocol, for a call that only asks for refs: the remote tells them all with its first answer. That
   * is one question less, and more to read where there are many that nobody wants.
   */
  protocol?: 0;
  /** A path of the cache as the remote: the file protocol is allowed for this call. */
  fromCache?: boolean;
  input?: string | Uint8Array;
  /** Its input stays open, for who starts it to ask one thing after another. */
  asks?: true;
  timeoutMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface GitResult {
  code: number | null;
  stdout: Buffer;
  /** Without the trace of the HTTP exchange. */
  stderr: string;
  http: HttpTrace;
  stopped?: Stopped;
}

/** The one way to run git. */
export interface Git {
  /** Runs git and returns whatever it answered; throws only when git is missing or was given up. */
  run(args: readonly string[], call?: GitCall): Promise<GitResult>;
  /** Runs git and returns its stdout; a failure is thrown, classified. */
  ok(args: readonly string[], call?: GitCall): Promise<Buffer>;
  /** Like `ok`, for a call to a remote: a failure that may pass is tried three times within the time limit. */
  remote(args: readonly string[], call: GitCall & { network: GitSource }): Promise<Buffer>;
  /** Starts git with open pipes; for `cat-file --batch`. */
  start(
    args: readonly string[],
    call: GitCall & ({ input: Uint8Array } | { asks: true }),
  ): Promise<RunningProcess>;
  /** The version found, e.g. "2.43.0"; throws E_TOOL_MISSING when git is absent or too old. */
  version(): Promise<string>;
}

const LOCAL_TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 64 * 1024 * 1024;
/** Waits before the first, second and third try. */
const PAUSES_MS = [0, 1_000, 3_000];
export const oldestGit = [2, 31] as const;

/** Opens the one function that every git call goes through. */
export function createGit(setup: GitSetup): Git {
  const once = rememberOnce();
  let nowhere = parse(setup.hooksDir).root;
  const ready = (): Promise<string> =>
    once("version", async () => {
      // A missing folder is as empty as an empty one, so a cache that cannot be written is no failure here.
      const made = await makeFolder(setup.hooksDir).then(
        () => true,
        () => false,
      );
      if (made) nowhere = setup.hooksDir;
      return checkVersion(setup);
    });
  const failedCall = (args: readonly string[], call: GitCall) => ({
    command: args[0] ?? "git",
    source: call.network,
    timeoutMs: limitOf(setup, call),
  });
  const start = async (args: readonly string[], call: GitCall): Promise<Prepared> => {
    await ready();
    const ssh =
      call.network && mayUseSsh(call.network.url)
        ? await once("ssh", () => userSshCommand(setup, nowhere))
        : false;
    return prepare(setup, { args, call, userSsh: ssh, nowhere });
  };
  const run = async (args: readonly string[], call: GitCall = {}): Promise<GitResult> => {
    const special = await specialFile(call);
    if (special !== undefined) return unopened(special);
    const prepared = await start(args, call);
    const result = await runProcess(prepared).catch((error: unknown) => {
      throw startFailure(error);
    });
    if (result.stopped === "abort") throw cancelled(call.signal ?? setup.signal);
    return { ...result, ...splitTrace(result.stderr) };
  };
  const ok = async (args: readonly string[], call: GitCall = {}): Promise<Buffer> => {
    const result = await run(args, call);
    if (result.code === 0 && !result.stopped) return result.stdout;
    throw classifyGitFailure(result, failedCall(args, call));
  };
  return {
    run,
    ok,
    remote: (args, call) =>
      retried(setup, { call, attempt: (timeoutMs) => ok(args, { ...call, timeoutMs }) }),
    start: async (args, call) => {
      const special = await specialFile(call);
      if (special !== undefined) throw classifyGitFailure(unopened(special), failedCall(args, call));
      return startProcess(await start(args, call));
    },
    version: ready,
  };
}

/** What git says of a folder that is no repository: it is not asked to open what it would wait for. */
function unopened(special: string): GitResult {
  const stderr = `fatal: not a git repository: ${special} is a special file\n`;
  return { code: 128, stdout: Buffer.alloc(0), stderr, http: {} };
}

type Prepared = Parameters<typeof startProcess>[0];

function limitOf(setup: GitSetup, call: GitCall): number {
  return call.timeoutMs ?? (call.network ? setup.networkTimeoutMs : LOCAL_TIMEOUT_MS);
}

interface Preparing {
  args: readonly string[];
  call: GitCall;
  userSsh: boolean;
  /**
   * A folder with no repository in or above it, as far as git may look: a call that names no repository must
   * not read the configuration of the one the user happens to stand in.
   */
  nowhere: string;
}

function prepare(setup: GitSetup, { args, call, userSsh, nowhere }: Preparing): Prepared {
  const place = [
    ...(call.gitDir ? [`--git-dir=${call.gitDir}`] : []),
    ...(call.workTree ? [`--work-tree=${call.workTree}`] : []),
  ];
  const input = typeof call.input === "string" ? Buffer.from(call.input) : call.input;
  const guards: GuardsOfCall = {
    url: call.network?.url,
    writes: call.writes,
    commits: call.commits,
    alternates: call.alternates,
    fromCache: call.fromCache,
    userSsh,
    ceiling: dirname(nowhere),
  };
  return {
    command: "git",
    args: [
      "--no-pager",
      "--literal-pathspecs",
      ...gitConfig(setup),
      ...(call.protocol === undefined ? [] : ["-c", `protocol.version=${call.protocol}`]),
      ...place,
      ...withPlainSender(withoutOutsideDiff(args), guards),
    ],
    env: gitEnvironment(setup, guards),
    cwd: call.cwd ?? call.workTree ?? nowhere,
    stdin: input ?? (call.asks ? "open" : "closed"),
    timeoutMs: limitOf(setup, call),
    maxOutputBytes: call.maxBytes ?? MAX_OUTPUT,
    signal: call.signal ?? setup.signal,
  };
}

async function retried(
  setup: GitSetup,
  { call, attempt }: { call: GitCall; attempt: (timeoutMs: number) => Promise<Buffer> },
): Promise<Buffer> {
  const pause = setup.pause ?? wait;
  const limit = limitOf(setup, call);
  const endsAt = performance.now() + limit;
  for (let tried = 0; ; tried++) {
    await pause(PAUSES_MS[tried] ?? 0, call.signal ?? setup.signal);
    try {
      return await attempt(Math.max(1, endsAt - performance.now()));
    } catch (error) {
      const next = PAUSES_MS[tried + 1];
      const again = isPassing(error) && next !== undefined && performance.now() + next < endsAt;
      if (!again) throw withAttempts(error, tried + 1);
    }
  }
}

function isPassing(error: unknown): boolean {
  const found = asWritError(error)?.toObject();
  return found?.code === "NETWORK_ERROR" && found.retryable;
}

function withAttempts(error: unknown, attempts: number): unknown {
  const known = asWritError(error);
  if (known?.code !== "NETWORK_ERROR") return error;
  return fail(known.code, { ...known.failure, details: { ...known.failure.details, attempts } });
}

function asWritError(error: unknown): WritError | undefined {
  return error instanceof Error && "failure" in error ? (error as WritError) : undefined;
}

/** False where another protocol is named, for which nobody needs to know how ssh is started. */
function mayUseSsh(url: string): boolean {
  return !/^(https?|file):/i.test(url);
}

async function userSshCommand(setup: GitSetup, nowhere: string): Promise<boolean> {
  if (setup.env.GIT_SSH_COMMAND || setup.env.GIT_SSH) return true;
  const found = await runProcess({
    ...prepare(setup, { args: ["config", "--get", "core.sshCommand"], call: {}, userSsh: false, nowhere }),
    signal: undefined,
  });
  return found.code === 0 && found.stdout.toString().trim() !== "";
}

async function checkVersion(setup: GitSetup): Promise<string> {
  const nowhere = parse(setup.hooksDir).root;
  const result = await runProcess({
    ...prepare(setup, { args: ["--version"], call: {}, userSsh: false, nowhere }),
    signal: undefined,
  }).catch((error: unknown) => {
    throw startFailure(error);
  });
  const text = result.stdout.toString("utf8");
  if (result.code !== 0) throw unusable(result.stderr);
  const found = /(\d+)\.(\d+)(?:\.\d+)*/.exec(text);
  const [major, minor] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
  if (found && (major > oldestGit[0] || (major === oldestGit[0] && minor >= oldestGit[1]))) return found[0];
  throw toolMissing(found ? `git ${found[0]} was found.` : "git answered without a version.", found?.[0]);
}

function startFailure(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "EACCES" ? toolMissing("No git was found on PATH.") : error;
}

/** Git is there and refuses to start; mostly its settings cannot be read. */
function unusable(stderr: string): WritError {
  const [said = ""] = stderr.split("\n").filter((line) => line.startsWith("fatal: "));
  // Only the file's name: where it lies is nobody's business but the user's.
  const fact = said.slice("fatal: ".length).replaceAll(/\S*[\\/](?=\S)/g, "");
  return fail("E_TOOL_MISSING", {
    message: "Git was found, and does not start.",
    cause: fact === "" ? "It answered neither a version nor a reason." : `It answered: ${redact(fact)}.`,
    remediation: "Correct its settings until this works: git --version",
    details: { tool: "git", needed: oldestGit.join(".") },
  });
}

function toolMissing(cause: string, found?: string): WritError {
  return fail("E_TOOL_MISSING", {
    message: `Writ needs git ${oldestGit.join(".")} or later.`,
    cause,
    remediation:
      "Install it: apt install git (Debian, Ubuntu), brew install git (macOS), winget install Git.Git (Windows)",
    details: { tool: "git", needed: oldestGit.join("."), ...(found && { found }) },
  });
}

function cancelled(signal: AbortSignal | undefined): unknown {
  // Whoever aborts with an error of its own (a deadline, a bound) has already said why.
  if (asWritError(signal?.reason)) return signal?.reason;
  return fail("E_CANCELLED", {
    message: "The call was given up while git was running.",
    cause: "The caller cancelled it.",
    remediation: "Run the same command again.",
  });
}

function rememberOnce(): <T>(key: string, make: () => Promise<T>) => Promise<T> {
  const made = new Map<string, Promise<unknown>>();
  return <T>(key: string, make: () => Promise<T>) => {
    const found = (made.get(key) as Promise<T> | undefined) ?? make();
    made.set(key, found);
    return found;
  };
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
