import { join } from "node:path";
import { lstatOrNull, readRemotes } from "../../platform/index.ts";
import type { Cache } from "../sources/cache.ts";
import type { Sources } from "../sources/open-sources.ts";
import { removalFacts, type RemovalFacts } from "./removal-facts.ts";

/** A repository that is not removed, and every fact that speaks against it. */
export interface PruneRefusal {
  path: string;
  reason: string;
  facts: Record<string, unknown>;
}

/** Whether a repository may be removed: only when nothing in it exists nowhere else. */
export async function judgePrune(
  { git, cache }: Pick<Sources, "git" | "cache">,
  root: string,
  { path, discardIgnored }: { path: string; discardIgnored: boolean },
): Promise<PruneRefusal | undefined> {
  const folder = join(root, path);
  if (!(await lstatOrNull(folder))) return undefined;
  const facts = await removalFacts(git, folder, await knownObjects(cache, folder));
  const against = objections(facts, discardIgnored);
  const [reason] = Object.keys(against);
  return reason === undefined ? undefined : { path, reason, facts: against };
}

/** What the remotes had when they were asked last: a tag of theirs need not be on a branch. */
async function knownObjects(cache: Cache, folder: string): Promise<string[]> {
  const remotes = (await readRemotes(folder)) ?? [];
  const refs = await Promise.all(remotes.map(({ url }) => cache.refs(url).catch(() => null)));
  return refs.flatMap((one) => (one ? [...one.refs.values()] : []));
}

function objections(facts: RemovalFacts, discardIgnored: boolean): Record<string, unknown> {
  if (!facts.isGit) return { not_a_repository: true };
  const { modified, untracked, ignored, inProgress, stashes, worktrees, unpushed, hidden, submodules } =
    facts;
  return {
    ...(modified.length > 0 && { modified }),
    ...(untracked.length > 0 && { untracked }),
    ...(ignored.length > 0 && !discardIgnored && { ignored }),
    ...(stashes > 0 && { stashes }),
    ...(inProgress && { in_progress: inProgress }),
    ...(worktrees > 0 && { worktrees }),
    ...(unpushed > 0 && { unpushed }),
    ...(hidden.length > 0 && { hidden }),
    ...(submodules.length > 0 && { submodules }),
  };
}
