import { join } from "node:path";
import { errnoOf, lstatOrNull, quote, type Git } from "../../platform/index.ts";
import { findEnclosingRepo, trackedPaths } from "./enclosing-repo.ts";
import type { Registry } from "../gather/gather-registry.ts";
import type { GatheredStack } from "../gather/gather-stacks.ts";
import { lockFile } from "../declare/file-names.ts";
import { manifestFile } from "../declare/file-names.ts";
import type { Manifest } from "../declare/model/manifest.ts";
import { repoFacts } from "./repos-git.ts";

/** Why the changed files were not committed. */
export type NotCommitted = "no_identity" | "in_progress" | "inside_another_repository";

/** Says whether a run may commit; the last moment decides again. */
export async function mayCommit(git: Git, root: string): Promise<NotCommitted | undefined> {
  const repo = await findEnclosingRepo(root);
  if (repo && repo.prefix !== "") return "inside_another_repository";
  if (repo && (await repoFacts(git, root)).inProgress) return "in_progress";
  return (await hasIdentity(git, repo?.gitDir)) ? undefined : "no_identity";
}

async function hasIdentity(git: Git, gitDir: string | undefined): Promise<boolean> {
  // Without useConfigOnly git would make up an address from the names of user and machine.
  const args = ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"];
  const told = await git.run(args, { commits: true, ...(gitDir !== undefined && { gitDir }) });
  return told.code === 0;
}

/** Commits exactly the declaration, the lock and .gitignore, by path; what the user has staged stays staged. */
export async function commitWorkspace(git: Git, root: string): Promise<void> {
  if (await mayCommit(git, root)) return;
  const gitDir = join(root, ".git");
  if (!(await lstatOrNull(gitDir))) {
    await git.ok(["init", "--quiet", "-b", "main", "--template=", "--end-of-options", root], {
      writes: true,
    });
  }
  const at = { gitDir, workTree: root, writes: true, commits: true };
  const repo = { top: root, gitDir, prefix: "" };
  const tracked = await trackedPaths(git, repo, [manifestFile]);
  const wanted = [...(tracked.has(manifestFile) ? [] : [manifestFile]), lockFile, ".gitignore"];
  const paths: string[] = [];
  for (const path of wanted) if (await lstatOrNull(join(root, path)).catch(absent)) paths.push(path);
  if (paths.length === 0) return;
  await git.ok(["add", "--force", "--", ...paths], at);
  const same = await git.run(["diff", "--cached", "--quiet", "--", ...paths], at);
  // Compared with HEAD; without a first commit everything differs.
  if (same.code === 0) return;
  await git.ok(
    ["commit", "--quiet", "--no-verify", "--only", "-m", "writ: update the workspace", "--", ...paths],
    at,
  );
}

function absent(error: unknown): null {
  if (errnoOf(error) === "ENOENT") return null;
  throw error;
}

/** What data says of the workspace's own repository. */
export interface WorkspaceRepoData {
  initialised: boolean;
  commit: string | null;
  org: string | null;
  name: string;
  visibility: string;
  commands: string[];
}

/** Names the repository and the commands that would publish it; publishing is the user's own step. */
export async function describeWorkspaceRepo(
  git: Git,
  root: string,
  about: { manifest: Manifest; stacks: readonly GatheredStack[]; registry?: Registry | undefined },
): Promise<WorkspaceRepoData> {
  const { workspaceRepo, name: workspaceName } = about.manifest;
  const name = workspaceRepo.name ?? `workspace-${workspaceName}`;
  const org = workspaceRepo.org ?? orgOf(about.stacks, about.registry);
  const exists = (await lstatOrNull(join(root, ".git"))) !== null;
  const facts = exists ? await repoFacts(git, root) : undefined;
  const target = quote(org === undefined ? name : `${org}/${name}`);
  return {
    initialised: exists,
    commit: facts?.head ?? null,
    org: org ?? null,
    name,
    visibility: workspaceRepo.visibility,
    commands: [
      `gh repo create ${target} --${workspaceRepo.visibility} --source . --remote origin`,
      `git push -u origin ${quote(facts?.branch ?? "main")}`,
    ],
  };
}

function orgOf(stacks: readonly GatheredStack[], registry: Registry | undefined): string | undefined {
  const first = stacks.find(({ manifest, source }) => manifest.repos.length > 0 && source.kind === "repo");
  if (first?.source.kind === "repo") return first.source.org;
  return registry?.source.kind === "repo" ? registry.source.org : undefined;
}
