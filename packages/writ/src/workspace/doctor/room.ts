import { type Context, WritError } from "../../contract/index.ts";
import { observeChangeset, openOffline, type Observed } from "../run/observe-changeset.ts";
import type { Sources } from "../sources/open-sources.ts";
import type { Changeset } from "../changeset/changeset.ts";
import { type Finding, skipped } from "./check.ts";

/** What the checks look at; everything is read when it is first asked for, and once. */
export interface Room {
  ctx: Context;
  /** Whether no remote may be asked, not even for the registry. */
  offline: boolean;
  /** The workspace's root; a check that needs one is not called without. */
  root: string;
  /** Git and the cache, without a word to any remote. */
  sources(): Sources;
  /** The declaration, the last composition and the changeset. Throws what makes the declaration unreadable. */
  observed(): Promise<Observed>;
}

const command = "writ doctor";

/** A fresh look at a workspace; what was repaired since an earlier one is seen. */
export function openRoom(ctx: Context, { offline }: { offline: boolean }): Room {
  let sources: Sources | undefined;
  let observed: Promise<Observed> | undefined;
  const quiet: Context = { ...ctx, emit: () => {}, warn: () => {} };
  return {
    ctx,
    offline: offline || ctx.settings.isOn("WRIT_OFFLINE"),
    root: ctx.workspace?.root ?? ctx.base,
    sources: () => (sources ??= openOffline(ctx, command)),
    observed: () => (observed ??= observeChangeset(quiet, { command })),
  };
}

/** A check on what was read; skipped, with the reason, where the declaration itself cannot be read. */
export async function withObserved(
  room: Room,
  judge: (seen: Observed) => Promise<Finding> | Finding,
): Promise<Finding> {
  let seen: Observed;
  try {
    seen = await room.observed();
  } catch (error) {
    if (error instanceof WritError) return skipped(`not looked at: ${error.failure.message}`);
    throw error;
  }
  return judge(seen);
}

/** A check on what would be composed; skipped, with the reason, where that cannot be worked out. */
export function withChangeset(
  room: Room,
  judge: (changeset: Changeset, seen: Observed) => Promise<Finding> | Finding,
): Promise<Finding> {
  return withObserved(room, (seen) => {
    if (seen.changeset) return judge(seen.changeset, seen);
    return skipped(`not looked at: ${seen.failure?.failure.message ?? "there is no changeset."}`);
  });
}
