import { join } from "node:path";
import { lstatOrNull } from "../../platform/index.ts";
import type { AppliedRepo } from "../swap/applied.ts";
import type { DeclaredRepo } from "../declare/declared.ts";
import type { Gathering } from "../gather/gathering.ts";
import { judgePrune, type PruneRefusal } from "./prune.ts";

/** Repositories that Writ cloned and nobody declares any more. */
export interface OrphanPlan {
  /** All of them that still stand. */
  orphans: AppliedRepo[];
  prunes: string[];
  refused: PruneRefusal[];
}

/** The recorded clones that are no longer declared and still stand. */
export async function findOrphans(
  root: string,
  recorded: readonly AppliedRepo[],
  declared: readonly { path: string }[],
): Promise<AppliedRepo[]> {
  const known = new Set(declared.map(({ path }) => path));
  const orphans: AppliedRepo[] = [];
  for (const repo of recorded) {
    if (!known.has(repo.path) && (await lstatOrNull(join(root, repo.path, ".git")))) orphans.push(repo);
  }
  return orphans;
}

/** Finds the orphans and, when asked, which of them may be removed. */
export async function planOrphans(
  gathering: Gathering,
  declared: readonly DeclaredRepo[],
): Promise<OrphanPlan> {
  const { root, inputs, request, sources } = gathering;
  const orphans = await findOrphans(root, inputs.applied.applied?.repos ?? [], declared);
  const plan: OrphanPlan = { orphans, prunes: [], refused: [] };
  if (!request.prune) return plan;
  for (const { path } of orphans) {
    const refusal = await judgePrune(sources, root, { path, discardIgnored: request.discardIgnored });
    if (refusal) plan.refused.push(refusal);
    else plan.prunes.push(path);
  }
  return plan;
}
