import { join } from "node:path";
import { createGit, hashFile, readGitHead, type Git } from "../../platform/index.ts";
import type { RecordOf } from "../model/record.ts";
import type { Records } from "../records/records.ts";
import type { Room } from "../settings/room.ts";
import { type Checkout, newestDigests } from "./reuse.ts";

/** git over this checkout; made when it is first needed. */
export function openGit({ ctx }: Room): Git {
  return createGit({
    env: ctx.settings.environment(),
    hooksDir: join(ctx.folders.cache, "no-hooks"),
    protocols: [],
    networkTimeoutMs: 1,
    signal: ctx.signal,
  });
}

/** Whether a commit is an ancestor of the other, or the same. */
export async function isAncestorOf(
  room: Room,
  { commit, of }: { commit: string; of: string },
): Promise<boolean> {
  if (commit === of) return true;
  const place = { gitDir: join(room.root, ".git") };
  const git = openGit(room);
  const found = await git.run(["merge-base", "--is-ancestor", commit, of], place).catch(() => undefined);
  return found?.code === 0;
}

/** Finds out what the given conclusions need to know of the checkout. */
export async function lookAtCheckout(
  room: Room,
  of: { records: Records; conclusions: readonly RecordOf<"conclusion">[]; damaged: ReadonlySet<string> },
): Promise<Checkout> {
  const { head } = await readGitHead(room.root);
  const commits = new Set(of.conclusions.map((one) => one.head).filter((one) => one !== undefined));
  const ancestors = new Set<string>();
  if (head !== undefined) {
    for (const commit of commits) if (await isAncestorOf(room, { commit, of: head })) ancestors.add(commit);
  }
  const paths = new Set(
    of.conclusions.flatMap((one) => newestDigests(of.records, one).map(([path]) => path)),
  );
  const digests = new Map<string, string | undefined>();
  for (const path of paths) digests.set(path, await digestOrNothing(join(room.root, path)));
  return {
    now: room.ctx.clock.now(),
    reuseDays: room.settings.reuse_days,
    ...(head !== undefined && { head }),
    isAncestor: (commit) => ancestors.has(commit),
    digestOf: (path) => digests.get(path),
    isDamaged: (assessment) => of.damaged.has(assessment),
  };
}

async function digestOrNothing(path: string): Promise<string | undefined> {
  return hashFile(path).catch(() => undefined);
}
