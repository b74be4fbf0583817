import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { lstatOrNull, type Git } from "../../platform/index.ts";
import { type CheckRow, type Finding, info, listed, ok, skipped } from "./check.ts";
import { type Room, withObserved } from "./room.ts";

/** Worktrees of the workspace and of its repositories. */
export const worktreeChecks: readonly CheckRow[] = [
  { id: "worktrees.stale", worst: "info", workspace: true, look: lookAtRecords, fix: removeRecords },
];

/** A worktree that git knows and whose folder is gone. */
interface StaleRecord {
  /** The repository that keeps the record. */
  repo: string;
  /** Where the worktree was; absolute. */
  folder: string;
}

async function lookAtRecords(room: Room): Promise<Finding> {
  return withObserved(room, async () => {
    const stale = await staleRecords(room);
    if (stale === undefined) return skipped("there is no git repository that could have worktrees");
    if (stale.length === 0) return ok("every record has its folder");
    const names = [...new Set(stale.map(({ folder }) => folder.split(sep).slice(-2).join("/")))];
    return info(`records without a folder: ${listed(names)}`, {
      remediation: "writ doctor fix",
      fixable: true,
    });
  });
}

async function removeRecords(room: Room): Promise<void> {
  const { git } = room.sources();
  for (const { repo, folder } of (await staleRecords(room)) ?? []) {
    // Looked at once more: a disk that is mounted again has brought the folder back.
    if (await lstatOrNull(folder)) continue;
    await git.run(["worktree", "remove", folder], { gitDir: join(repo, ".git"), cwd: repo, writes: true });
  }
}

/** Only records below the workspace's own folder of worktrees: all others are somebody else's. */
async function staleRecords(room: Room): Promise<StaleRecord[] | undefined> {
  const { root, inputs, changeset } = await room.observed();
  const { git } = room.sources();
  const base = join(await realpath(root), inputs.manifest.worktrees.baseDir);
  const folders = [
    root,
    ...(changeset?.declared ?? inputs.lock?.repos ?? []).map(({ path }) => join(root, path)),
  ];
  const repos: string[] = [];
  for (const folder of folders) if (await lstatOrNull(join(folder, ".git"))) repos.push(folder);
  if (repos.length === 0) return undefined;
  const stale: StaleRecord[] = [];
  for (const repo of repos) {
    for (const folder of await worktreesOf(git, repo)) {
      if (folder.startsWith(`${base}${sep}`) && !(await lstatOrNull(folder))) stale.push({ repo, folder });
    }
  }
  return stale;
}

async function worktreesOf(git: Git, repo: string): Promise<string[]> {
  const told = await git.run(["worktree", "list", "--porcelain", "-z"], { gitDir: join(repo, ".git") });
  if (told.code !== 0) return [];
  const lines = told.stdout.toString("utf8").split("\0");
  return lines.filter((line) => line.startsWith("worktree ")).map((line) => line.slice("worktree ".length));
}
