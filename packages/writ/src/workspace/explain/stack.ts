import type { Context } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import { fileCounts } from "../swap/next-applied.ts";
import { observeChangeset, type Observed } from "../run/observe-changeset.ts";
import { labelsOf } from "../declare/sources.ts";
import { declaredStack, type Place } from "./declared-at.ts";
import { notFound } from "./not-found.ts";

/** What a stack of the workspace is, and what it provides. */
export interface StackExplained {
  id: string;
  repo: string | null;
  want: string | null;
  ref: string | null;
  /** The commit the next run would compose, from lock and cache. */
  commit: string | null;
  locked_commit: string | null;
  product?: string;
  /** Position among the layers, lowest first, from 1. */
  layer: number | null;
  /** How many composed files it provides. */
  files: number;
  /** Paths that a later layer takes from it. */
  overridden: string[];
  declared_at: Place | null;
  next: string[];
  reason?: string;
}

/** Explains a stack that the manifest declares, or that only the lock still names. */
export async function explainStack(ctx: Context, id: string): Promise<StackExplained> {
  const seen = await observeChangeset(ctx, { command: "writ explain" });
  const { inputs, changeset, failure } = seen;
  const labels = labelsOf(inputs.manifest.stacks.map(({ source }) => source));
  const locked = inputs.lock?.stacks.find((one) => one.id === id);
  const layer = labels.indexOf(id);
  if (layer < 0 && !locked) throw notFound("stack", id, { known: labels, list: "writ status" });
  const read = changeset?.stacks.find(({ stack }) => stack.label === id);
  const product = read?.stack.manifest.product;
  return {
    id,
    repo: read?.layer ? repoOf(seen, id) : (locked?.repo ?? null),
    want: inputs.manifest.stacks[layer]?.want ?? locked?.want ?? null,
    ref: read?.stack.answer.ref ?? locked?.ref ?? null,
    commit: read?.stack.answer.commit ?? null,
    locked_commit: locked?.commit ?? null,
    ...(product !== undefined && { product }),
    layer: layer < 0 ? null : layer + 1,
    files: changeset
      ? (fileCounts(changeset).get(id) ?? 0)
      : (inputs.applied.applied?.stacks.find(({ label }) => label === id)?.files ?? 0),
    overridden: overriddenOf(seen, id),
    declared_at: declaredStack(inputs.manifest, id) ?? null,
    next: layer < 0 ? ["writ bootstrap"] : locked ? [`writ sync --stack ${quote(id)}`] : ["writ bootstrap"],
    ...(failure && { reason: failure.failure.message }),
  };
}

function repoOf({ changeset }: Observed, id: string): string | null {
  return changeset?.lock.lock.stacks.find((one) => one.id === id)?.repo ?? null;
}

function overriddenOf({ changeset }: Observed, id: string): string[] {
  const collisions = changeset?.compose.composition.collisions ?? [];
  return collisions.filter(({ losers }) => losers.includes(id)).map(({ file }) => file);
}
