import { lockFile } from "./file-names.ts";
import { fail } from "../../contract/index.ts";
import { faultsOf } from "./issues.ts";
import { AwacLockSchema, LockSchema } from "./model/lock-schema.ts";
import type { Lock, LockRepo, LockStack } from "./model/lock.ts";
import { foldedPath, parsePath } from "./paths.ts";
import { problemsError, readFile, report, validate, type FileReading } from "./problems.ts";
import { isCommit } from "./refs.ts";
import { isMapping } from "./schema-walk.ts";
import type { Want } from "./sources.ts";
import { printScalar } from "./yaml-scalar.ts";

/**
 * Reads a lock, Writ's own or one of AWaC (`upgraded`: the next run that is not frozen writes it anew).
 * Throws E_INVALID_LOCK for all else: a lock that cannot be read is never taken for an absent one.
 */
export function parseLock(bytes: Uint8Array | string): { lock: Lock; upgraded: boolean } {
  const reading = readFile(bytes, lockFile);
  const marker = /^(?:<{7}|={7}|>{7}|\|{7})(?=[ \r\n]|$)/m.exec(reading.text);
  if (marker) reading.problems = [conflictMarker(reading, marker.index)];
  const word = isMapping(reading.value) ? reading.value["schema"] : undefined;
  const isAwac = word === "awac/1" || word === "awac/2";
  const lock =
    marker || reading.value === undefined ? undefined : isAwac ? readAwac(reading) : readOwn(reading);
  if (lock && reading.problems.length === 0) return { lock, upgraded: isAwac };
  throw problemsError(reading.problems, "E_INVALID_LOCK", {
    document: "lock",
    details: { file: lockFile },
    remediation: `Resolve it, or delete ${lockFile}, then: writ bootstrap`,
  });
}

function conflictMarker(reading: FileReading, offset: number) {
  const line = reading.text.slice(0, offset).split("\n").length;
  const message = "the file holds the markers of a merge conflict";
  return {
    kind: "syntax" as const,
    file: reading.file,
    pointer: "",
    line,
    column: 1,
    message,
    hint: "resolve the merge",
  };
}

function readOwn(reading: FileReading): Lock | undefined {
  const { value } = validate(LockSchema, reading);
  if (!value) return undefined;
  const lock = value as Lock;
  reportTwins(
    reading,
    lock.stacks.map(({ id }) => id),
    "/stacks",
  );
  reportTwins(
    reading,
    lock.repos.map(({ path }) => foldedPath(path)),
    "/repos",
  );
  return lock;
}

function reportTwins(reading: FileReading, keys: readonly string[], pointer: string): void {
  for (const [at, key] of keys.entries()) {
    if (keys.indexOf(key) === at) continue;
    report(reading, `${pointer}/${at}`, {
      kind: "duplicate",
      message: `${key} stands twice`,
      hint: "keep one",
    });
  }
}

function readAwac(reading: FileReading): Lock | undefined {
  const { value } = validate(AwacLockSchema, reading);
  if (!value) return undefined;
  return {
    schema: value.schema,
    stacks: value.stacks.map(
      ({ repo, ref, commit }): LockStack => ({ id: repo, repo, ...awacPin(ref), commit }),
    ),
    repos: (value.repos ?? []).map(
      ({ path, repo, ref, commit }): LockRepo => ({
        path: parsePath(path).value ?? path,
        repo,
        ...awacPin(ref),
        commit,
        from: value.schema,
      }),
    ),
  };
}

function awacPin(ref: string): { want: Want; ref: string } {
  if (isCommit(ref)) return { want: `commit:${ref.toLowerCase()}`, ref: ref.toLowerCase() };
  const name = ref.replace(/^refs\/heads\//, "");
  return { want: `branch:${name}`, ref: `refs/heads/${name}` };
}

const comment = "# Written by writ. Do not edit; `writ bootstrap --update` moves it.";
const registryKeys = ["repo", "want", "ref", "commit"] as const;
const stackKeys = ["id", "repo", "want", "ref", "commit", "content"] as const;
const repoKeys = ["path", "repo", "want", "ref", "commit", "from"] as const;

/** The bytes of a lock: the same content gives the same bytes. Refuses what must not stand in one. */
export function printLock(lock: Lock): string {
  requireValid(lock);
  const repos = lock.repos.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const registry = lock.registry && [
    "registry:",
    ...fields(lock.registry, registryKeys).map((line) => `  ${line}`),
  ];
  const lines = [
    comment,
    "schema: writ/1",
    ...(registry ?? []),
    ...list("stacks", lock.stacks, stackKeys),
    ...list("repos", repos, repoKeys),
  ];
  return `${lines.join("\n")}\n`;
}

function fields<T extends object>(entry: T, keys: readonly (keyof T & string)[]): string[] {
  return keys.flatMap((key) =>
    entry[key] === undefined ? [] : [`${key}: ${printScalar(String(entry[key]))}`],
  );
}

function list<T extends object>(
  name: string,
  entries: readonly T[],
  keys: readonly (keyof T & string)[],
): string[] {
  if (entries.length === 0) return [`${name}: []`];
  const lines = entries.flatMap((entry) =>
    fields(entry, keys).map((line, at) => `${at === 0 ? "  - " : "    "}${line}`),
  );
  return [`${name}:`, ...lines];
}

function requireValid(lock: Lock): void {
  const parsed = LockSchema.safeParse(lock);
  if (parsed.success) return;
  const faults = faultsOf(parsed.error.issues, { schema: LockSchema, value: lock, written: () => "…" });
  const unsafe = faults.find(({ fault }) => fault.kind === "unsafe_url")?.fault;
  // Anything else would be a defect of the caller, and the funnel says so.
  if (!unsafe) throw new TypeError(`a lock that cannot be read back: ${faults[0]?.fault.message}`);
  throw fail("E_UNSAFE_URL", {
    message: "A source was kept out of the lock.",
    cause: unsafe.message,
    remediation: "Write the source without user name, password or token, then: writ bootstrap",
    details: { file: lockFile, ...unsafe.facts },
  });
}
