import { startProcess } from "../../platform/index.ts";
import { findProgram, programFolders } from "../availability/presence.ts";
import { bounds } from "../model/bounds.ts";
import { AdvisorFailure, type SpawnPort } from "./adapter.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What every program sees besides what its entry names. */
const always = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "TZ",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "SystemRoot",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "PATHEXT",
  "COMSPEC",
];
const patterns = /^(?:LC_[A-Z]+|XDG_[A-Z]+_HOME)$/;

// Longer than any deadline: the signal of the exchange is what ends it.
const neverMs = 3_600_000;

/** The way to a program: its words on standard input, a group of its own, an environment of exactly what is listed. */
export function createSpawnPort({
  environment,
  root,
  tmp,
}: {
  environment: Environment;
  root: string;
  tmp: string;
}): SpawnPort {
  return async ({ argv, env_names, cwd, stdin, signal }) => {
    const [name = "", ...args] = argv;
    const command = findProgram(name, programFolders(environment.PATH ?? "", root), root);
    if (command === undefined) throw new AdvisorFailure("unavailable", `the program ${name} is gone`);
    const running = startProcess({
      command,
      args,
      cwd,
      env: childEnvironment(environment, { env_names, tmp }),
      stdin: Buffer.from(stdin),
      timeoutMs: neverMs,
      signal,
    });
    const out = collect(running.child.stdout, bounds.answerBytes, () => running.stop("output"));
    const err = collect(running.child.stderr, bounds.stderrBytes, () => running.stop("output"));
    const end = await running.ended.catch(() => {
      throw new AdvisorFailure("unavailable", `the program ${name} could not be started`);
    });
    if (end.stopped === "output")
      throw new AdvisorFailure(
        "malformed",
        `the program wrote more than ${out.over() ? bounds.answerBytes : bounds.stderrBytes} bytes`,
      );
    return { code: end.code, stdout: out.text(), stderr: err.text() };
  };
}

/** Exactly the listed variables; the temporary folder is the exchange's own. */
export function childEnvironment(
  environment: Environment,
  { env_names, tmp }: { env_names: readonly string[]; tmp: string },
): Record<string, string> {
  const names = Object.keys(environment).filter(
    (name) => always.includes(name) || patterns.test(name) || env_names.includes(name),
  );
  const kept = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), TMPDIR: tmp, TERM: "dumb", NO_COLOR: "1" };
}

interface Stream {
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
}

function collect(stream: Stream | null, bound: number, stop: () => void) {
  const parts: Buffer[] = [];
  let size = 0;
  stream?.on("data", (chunk) => {
    size += chunk.length;
    // Beyond the bound nothing is kept, however long the program goes on.
    if (size > bound) stop();
    else parts.push(chunk);
  });
  return { over: () => size > bound, text: () => Buffer.concat(parts).toString("utf8") };
}
