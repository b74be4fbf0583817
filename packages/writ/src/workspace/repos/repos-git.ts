import { dirname, join } from "node:path";
import {
  lstatOrNull,
  readOrNull,
  readRemotes,
  readTips,
  type Git,
  type Remote,
} from "../../platform/index.ts";
import { plainFolders, repoFolders } from "./repo-folders.ts";

/** An operation of git that waits for the user to finish it. */
export type Operation = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect" | "am";

/** What stands at the path of a product repository. */
export interface RepoFacts {
  isGit: boolean;
  remotes: Remote[];
  /** Short name of the branch that is checked out; absent when HEAD is detached. */
  branch?: string;
  /** The commit of HEAD; absent before the first commit. */
  head?: string;
  detached: boolean;
  /** Tracked paths that differ from HEAD, staged or not, and unmerged ones. */
  modified: string[];
  untracked: string[];
  inProgress?: Operation;
  stashes: number;
  /** Local commits that are on no remote-tracking branch. */
  unpushed: number;
}

const nothing: RepoFacts = {
  isGit: false,
  remotes: [],
  detached: false,
  modified: [],
  untracked: [],
  stashes: 0,
  unpushed: 0,
};

/** Reads what is known of a repository; nothing in it is written, not even its index. */
export async function repoFacts(git: Git, path: string): Promise<RepoFacts> {
  return readFacts(git, path, ["--ignore-submodules=dirty"]);
}

function at(path: string) {
  return { gitDir: join(path, ".git"), workTree: path };
}

const statusArguments = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"];

/** The facts of a repository, with more arguments of `git status`. */
export async function readFacts(
  git: Git,
  path: string,
  more: readonly string[],
): Promise<RepoFacts & { ignored: string[] }> {
  const dotGit = join(path, ".git");
  const nowhere = { ...nothing, ignored: [] };
  if (!(await lstatOrNull(dotGit))) return nowhere;
  // A plain repository shows where its parts are; only a linked or strange one has to be asked.
  const plain = await plainFolders(dotGit);
  const folders = plain ?? (await repoFolders(git, dotGit));
  if (!folders) return nowhere;
  const args = [...statusArguments, ...more];
  const told = await git.run(args, at(path));
  if (told.code !== 0 && plain && !(await repoFolders(git, dotGit))) return nowhere;
  const status = parseStatus((told.code === 0 ? told.stdout : await git.ok(args, at(path))).toString("utf8"));
  const [remotes, stashes, unpushed] = await Promise.all([
    readRemotes(path).then((read) => read ?? askRemotes(git, path)),
    countStashes(git, path, dirname(folders.objects)),
    countUnpushed(git, path, status.head),
  ]);
  return { ...status, isGit: true, remotes, stashes, unpushed, ...(await operationIn(folders.gitDir)) };
}

type StatusFacts = Pick<RepoFacts, "branch" | "head" | "detached" | "modified" | "untracked"> & {
  ignored: string[];
};

/** Reads `status --porcelain=v2 --branch -z`; pure. */
function parseStatus(text: string): StatusFacts {
  const facts: StatusFacts = { detached: false, modified: [], untracked: [], ignored: [] };
  const records = text.split("\0");
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? "";
    const [kind] = record;
    if (kind === "#") readHeader(record, facts);
    else if (kind === "?") facts.untracked.push(record.slice(2));
    else if (kind === "!") facts.ignored.push(record.slice(2));
    else if (kind === "1" || kind === "2" || kind === "u") {
      facts.modified.push(afterFields(record, { 1: 8, 2: 9, u: 10 }[kind]));
      // A rename's old path follows as a record of its own.
      if (kind === "2") i++;
    }
  }
  return facts;
}

function readHeader(record: string, facts: StatusFacts): void {
  const [, key, value = ""] = /^# (\S+) (.*)$/s.exec(record) ?? [];
  if (key === "branch.oid" && value !== "(initial)") facts.head = value;
  if (key !== "branch.head") return;
  if (value === "(detached)") facts.detached = true;
  else facts.branch = value;
}

function afterFields(record: string, fields: number): string {
  let from = 0;
  for (let i = 0; i < fields; i++) from = record.indexOf(" ", from) + 1;
  return record.slice(from);
}

async function askRemotes(git: Git, path: string): Promise<Remote[]> {
  const told = await git.run(["config", "--local", "-z", "--get-regexp", "^remote\\..*\\.url$"], at(path));
  const records = told.stdout.toString("utf8").split("\0").filter(Boolean);
  return records.flatMap((record) => {
    const [key = "", url = ""] = record.split("\n");
    return [{ name: key.slice("remote.".length, -".url".length), url }];
  });
}

/** Git keeps the newest stash as a ref; where there is none, it need not be asked how many. */
async function countStashes(git: Git, path: string, common: string): Promise<number> {
  if (!(await mayHaveStash(common))) return 0;
  const known = await git.run(["rev-parse", "--verify", "--quiet", "refs/stash"], at(path));
  if (known.code !== 0) return 0;
  const counted = await git.ok(["rev-list", "--walk-reflogs", "--count", "refs/stash"], at(path));
  return Number(counted.toString("latin1").trim());
}

async function mayHaveStash(common: string): Promise<boolean> {
  for (const place of ["refs/stash", "reftable"]) if (await lstatOrNull(join(common, place))) return true;
  const packed = await readOrNull(join(common, "packed-refs"));
  return packed?.includes(" refs/stash\n") === true;
}

/** Mostly every branch stands where a remote's does, which its files show; to ask git would cost another process. */
async function countUnpushed(git: Git, path: string, head: string | undefined): Promise<number> {
  const [branches, remote] = await Promise.all([readTips(path, "heads"), readTips(path, "remotes")]);
  if (head !== undefined && branches && [head, ...branches].every((tip) => remote?.has(tip))) return 0;
  const from = head === undefined ? [] : ["HEAD"];
  const counted = await git.ok(
    ["rev-list", "--count", ...from, "--branches", "--not", "--remotes"],
    at(path),
  );
  return Number(counted.toString("latin1").trim());
}

const signs: readonly [file: string, operation: Operation][] = [
  ["MERGE_HEAD", "merge"],
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
];

async function operationIn(gitDir: string): Promise<{ inProgress?: Operation }> {
  for (const [file, operation] of signs) {
    if (await lstatOrNull(join(gitDir, file))) return { inProgress: operation };
  }
  return {};
}
