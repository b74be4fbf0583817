import { join } from "node:path";
import { fail, type Warning } from "../../contract/index.ts";
import { lstatOrNull, type Git } from "../../platform/index.ts";
import { objectsFolder } from "../repos/repo-folders.ts";
import { parseRemoteRefs, type RemoteRefs } from "./remote-refs.ts";

/** A stack that lives in a folder of this machine; Writ never writes in it. */
export interface LocalSource {
  path: string;
  /** The repository whose objects are read; absent for a plain folder. */
  gitDir?: string;
  refs?: RemoteRefs;
  /** HEAD: the branch it points to, unless it is detached, and its commit. */
  head?: { ref?: string; commit: string };
}

/**
 * Looks at a local stack. A git work tree is read at commits, from its objects; any other folder as it is.
 * Uncommitted changes of a work tree are not used, and `warn` is told so.
 */
export async function openLocal(
  git: Git,
  { path, label, warn }: { path: string; label: string; warn?: (warning: Warning) => void },
): Promise<LocalSource> {
  const there = await lstatOrNull(path);
  // The user may name a link; what it leads to must be a folder.
  if (!there || !(there.isDirectory() || there.isSymbolicLink())) throw noFolder(label);
  const gitDir = join(path, ".git");
  if (!(await lstatOrNull(gitDir)) || !(await objectsFolder(git, gitDir))) return { path };
  const refs = await localRefs(git, gitDir, label);
  const head = await headOf(git, gitDir);
  if (!head) throw noCommit(label);
  refs.head = head.ref;
  // A detached HEAD is where the user stands, although no branch may lead there.
  refs.refs.set("HEAD", head.commit);
  if (warn && (await isDirty(git, { gitDir, path }))) warn(dirty(label));
  return { path, gitDir, refs, head };
}

async function localRefs(git: Git, gitDir: string, label: string): Promise<RemoteRefs> {
  const listed = await git.run(["show-ref", "--dereference"], { gitDir });
  // The same two columns as ls-remote, but for the tab.
  return parseRemoteRefs(listed.stdout.toString("utf8").replace(/^([0-9a-f]+) /gm, "$1\t"), label);
}

async function headOf(git: Git, gitDir: string): Promise<LocalSource["head"]> {
  const commit = await git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"], {
    gitDir,
  });
  if (commit.code !== 0) return undefined;
  const ref = await git.run(["symbolic-ref", "--quiet", "HEAD"], { gitDir });
  const name = ref.stdout.toString("utf8").trim();
  const oid = /[0-9a-f]{40,64}/.exec(commit.stdout.toString("latin1"))?.[0] ?? "";
  return { commit: oid, ...(ref.code === 0 && { ref: name }) };
}

/** Asked without the filters that the folder's own configuration defines: they are programs, and a stack runs none. */
async function isDirty(git: Git, { gitDir, path }: { gitDir: string; path: string }): Promise<boolean> {
  const filters = await ownFilters(git, gitDir);
  // No setting can speak of such a name; what is not known is not told.
  if (filters.some((name) => /[=\n]/.test(name))) return false;
  const off = filters.flatMap((name) =>
    ["clean=", "process=", "required=false"].flatMap((setting) => ["-c", `filter.${name}.${setting}`]),
  );
  const args = [...off, "status", "--porcelain=v2", "-z", "--ignore-submodules=dirty"];
  return (await git.ok(args, { gitDir, workTree: path })).length > 0;
}

async function ownFilters(git: Git, gitDir: string): Promise<string[]> {
  const args = ["config", "--includes", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."];
  const told = await git.run(args, { gitDir });
  const words = told.stdout.toString("utf8").split("\0");
  const names = new Set<string>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const name = /^filter\.(.+)\.[^.]+$/s.exec(words[at + 1] ?? "")?.[1];
    if (name !== undefined && (words[at] === "local" || words[at] === "worktree")) names.add(name);
  }
  return [...names];
}

function dirty(label: string): Warning {
  return {
    code: "W_LOCAL_DIRTY",
    message: `The local stack ${label} has uncommitted changes, which are not used.`,
    remediation: "Commit them in that folder, then run: writ sync",
  };
}

function noFolder(label: string) {
  return fail("E_REPO_NOT_FOUND", {
    message: `The local stack ${label} does not exist.`,
    cause: "Its path leads to no folder.",
    remediation: "Correct the path in workspace.yml; it is relative to the workspace's root.",
    details: { source: label },
  });
}

function noCommit(label: string) {
  return fail("E_REF_NOT_FOUND", {
    message: `The local stack ${label} has no commit yet.`,
    cause: "Its HEAD points to a branch without commits.",
    remediation: "Commit its files in that folder first: git add -A && git commit -m 'First version'",
    details: { source: label },
  });
}
