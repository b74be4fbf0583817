import { fail } from "../../contract/index.ts";
import { catFileBatch, lstatOrNull, lsTree, type Git } from "../../platform/index.ts";
import { nullIfDenied } from "./cache-place.ts";
import { objectsOf, type RemoteRefs } from "./remote-refs.ts";

/** A commit in a repository: the cache's, or a local one. */
export interface CommitAt {
  gitDir: string;
  commit: string;
}

/** Which of the objects the repository does not have. */
export async function missingObjects(
  git: Git,
  gitDir: string,
  oids: readonly string[],
): Promise<Set<string>> {
  if (oids.length === 0) return new Set();
  const told = await git.ok(["cat-file", "--batch-check"], { gitDir, input: `${oids.join("\n")}\n` });
  const lines = told.toString("latin1").split("\n");
  return new Set(lines.flatMap((line) => /^([0-9a-f]+) missing$/.exec(line)?.[1] ?? []));
}

/** Whether a commit's object is in a repository; a repository that is not there has none. */
export async function commitExists(git: Git, gitDir: string, commit: string): Promise<boolean> {
  if (!(await lstatOrNull(gitDir).catch(nullIfDenied))) return false;
  const told = await git.run(["cat-file", "--batch-check"], { gitDir, input: `${commit}\n` });
  return told.stdout.toString("latin1").startsWith(`${commit} commit `);
}

/**
 * Throws E_REF_NOT_FOUND where something else than a commit stands. A branch or tag may lead to any object, and a
 * remote may say what it likes; asking would cost every source a process, so it is asked once something has failed.
 */
export async function requireCommit(
  git: Git,
  { gitDir, commit, label, ref }: CommitAt & { label: string; ref?: string },
): Promise<void> {
  const told = await git.run(["cat-file", "--batch-check"], { gitDir, input: `${commit}\n` });
  const kind = /^\S+ (blob|tree|tag) /.exec(told.stdout.toString("latin1"))?.[1];
  if (kind === undefined) return;
  const named = ref === undefined ? commit.slice(0, 12) : ref.replace(/^refs\/(?:heads|tags)\//, "");
  throw fail("E_REF_NOT_FOUND", {
    message: `${named} of ${label} leads to no commit.`,
    cause: `It leads to a ${kind}, and only what a commit holds can be used.`,
    remediation: "Name another branch or tag of it in workspace.yml.",
    details: { source: label, ref: named, kind },
  });
}

/** Whether a branch or tag leads to a commit that is in the repository. */
export async function isReachable(
  git: Git,
  { gitDir, commit, refs }: CommitAt & { refs: RemoteRefs },
): Promise<boolean> {
  const tips = new Set(objectsOf(refs).values());
  if (tips.has(commit) || [...refs.refs.values()].includes(commit)) return true;
  const input = `${commit}\n${[...tips].map((tip) => `^${tip}\n`).join("")}`;
  const beyond = await git.run(["rev-list", "--max-count=1", "--stdin"], { gitDir, input });
  return beyond.code === 0 && beyond.stdout.length === 0;
}

/** The bytes of one file of a commit, or null when the commit has no such file. More than `maxBytes` is E_LIMIT. */
export async function readFileAt(
  git: Git,
  { gitDir, commit, path, maxBytes }: CommitAt & { path: string; maxBytes: number },
): Promise<Buffer | null> {
  const entries = await lsTree(git, { gitDir, commit, under: [path] });
  const entry = entries.find((found) => found.path === path && found.mode.startsWith("100"));
  if (!entry) return null;
  if (entry.size > maxBytes) {
    throw fail("E_LIMIT", {
      message: `"${path}" is too large: ${entry.size} bytes, and at most ${maxBytes} are read.`,
      cause: "The size of what Writ reads is bounded.",
      remediation: "Make the file smaller upstream.",
      details: { limit: maxBytes, found: entry.size, path },
    });
  }
  for await (const blob of catFileBatch(git, { gitDir, oids: [entry.oid], maxBytes })) return blob.bytes;
  return null;
}

/** How far two commits are apart. */
export interface Distance {
  /** Commits of `to` that `from` lacks. */
  behind: number;
  /** Commits of `from` that `to` lacks. */
  ahead: number;
}

/** Counts how far `from` is behind and ahead of `to`; objects of other repositories may be lent, and are only read. */
export async function distance(
  git: Git,
  {
    gitDir,
    from,
    to,
    alternates,
  }: { gitDir: string; from: string; to: string; alternates?: readonly string[] },
): Promise<Distance> {
  if (from === to) return { behind: 0, ahead: 0 };
  const counted = await git.ok(
    ["rev-list", "--left-right", "--count", "--end-of-options", `${from}...${to}`],
    {
      gitDir,
      alternates,
    },
  );
  const [ahead = 0, behind = 0] = counted.toString("latin1").trim().split(/\s+/).map(Number);
  return { behind, ahead };
}

/** One commit of a history. */
export interface Logged {
  commit: string;
  subject: string;
}

/** The commits that `to` has and `from` lacks, newest first. */
export async function logBetween(
  git: Git,
  { gitDir, from, to, max = 50 }: { gitDir: string; from: string; to: string; max?: number },
): Promise<Logged[]> {
  const listed = await git.ok(
    ["log", `--max-count=${max}`, "--format=%H %s", "-z", "--end-of-options", `${from}..${to}`],
    { gitDir },
  );
  const records = listed.toString("utf8").split("\0").filter(Boolean);
  return records.map((record) => {
    const space = record.indexOf(" ");
    return { commit: record.slice(0, space), subject: record.slice(space + 1) };
  });
}
