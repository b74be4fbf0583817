import { join } from "node:path";
import type { Context } from "../../contract/index.ts";
import { lstatOrNull, quote } from "../../platform/index.ts";
import { observeChangeset } from "../run/observe-changeset.ts";
import { repoText } from "../declare/sources.ts";
import { placeOf, type Place } from "./declared-at.ts";
import { notFound } from "./not-found.ts";

/** What a product repository of the workspace is, and who declares it. */
export interface RepoExplained {
  path: string;
  repo: string;
  want: string;
  ref: string | null;
  locked_commit: string | null;
  mode: string | null;
  /** A stack's id, modules or extra_repos. */
  source_stack: string;
  declared_at: Place | null;
  exists: boolean;
  next: string[];
  reason?: string;
}

/** Explains a repository that the workspace declares, or that only the lock or a clone still knows. */
export async function explainRepo(ctx: Context, name: string): Promise<RepoExplained> {
  const seen = await observeChangeset(ctx, { command: "writ explain" });
  const { root, inputs, changeset, failure } = seen;
  const path = name.replace(/\/$/, "");
  const declared = changeset?.declared.find((one) => one.path === path);
  const locked = inputs.lock?.repos.find((one) => one.path === path);
  const cloned = inputs.applied.applied?.repos.find((one) => one.path === path);
  const from = declared?.from ?? locked?.from ?? cloned?.from;
  if (from === undefined) {
    const known = [...(changeset?.declared ?? []), ...(inputs.lock?.repos ?? [])].map((one) => one.path);
    throw notFound("repo", path, { known, list: "writ status" });
  }
  const exists = (await lstatOrNull(join(root, path, ".git"))) !== null;
  return {
    path,
    repo: declared ? repoText(declared.source) : (locked?.repo ?? cloned?.repo ?? ""),
    want: declared?.want ?? locked?.want ?? "default",
    ref: locked?.ref ?? cloned?.ref ?? null,
    locked_commit: locked?.commit ?? null,
    mode: declared?.mode ?? null,
    source_stack: from,
    declared_at: declared ? (placeOf(declared.declaredAt) ?? null) : null,
    exists,
    next: nextOf(path, { exists, orphan: changeset !== undefined && !declared }),
    ...(failure && { reason: failure.failure.message }),
  };
}

function nextOf(path: string, { exists, orphan }: { exists: boolean; orphan: boolean }): string[] {
  if (orphan) return ["writ bootstrap --prune"];
  return exists ? [`git -C ${quote(path)} status`] : ["writ bootstrap"];
}
