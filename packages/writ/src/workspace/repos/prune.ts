import { join } from "node:path";
import { lstatOrNull, type Git } from "../../platform/index.ts";
import { removalFacts, type RemovalFacts } from "./repos-git.ts";

/** A repository that is not removed, and every fact that speaks against it. */
export interface PruneRefusal {
  path: string;
  reason: string;
  facts: Record<string, unknown>;
}

/** Whether a repository may be removed: only when nothing in it exists nowhere else. */
export async function judgePrune(
  git: Git,
  root: string,
  { path, discardIgnored }: { path: string; discardIgnored: boolean },
): Promise<PruneRefusal | undefined> {
  const folder = join(root, path);
  if (!(await lstatOrNull(folder))) return undefined;
  const facts = await removalFacts(git, folder);
  const against = objections(facts, discardIgnored);
  const [reason] = Object.keys(against);
  return reason === undefined ? undefined : { path, reason, facts: against };
}

function objections(facts: RemovalFacts, discardIgnored: boolean): Record<string, unknown> {
  if (!facts.isGit) return { not_a_repository: true };
  const { modified, untracked, ignored, inProgress, stashes, worktrees, unpushed } = facts;
  return {
    ...(modified.length > 0 && { modified }),
    ...(untracked.length > 0 && { untracked }),
    ...(ignored.length > 0 && !discardIgnored && { ignored }),
    ...(stashes > 0 && { stashes }),
    ...(inProgress && { in_progress: inProgress }),
    ...(worktrees > 0 && { worktrees }),
    ...(unpushed > 0 && { unpushed }),
  };
}
