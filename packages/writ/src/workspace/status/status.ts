import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fail, type Context } from "../../contract/index.ts";
import { compareBytes, counted, inParallel, lstatOrNull, quote, storingUnder } from "../../platform/index.ts";
import { findDrift, harmless, type Drift } from "./drift.ts";
import { readDeclaration, withApplied, type Inputs } from "../gather/inputs.ts";
import { inputSettings } from "../gather/read-declared.ts";
import { type Conflict, waysOut } from "../changeset/ways-out.ts";
import { openSources } from "../sources/open-sources.ts";
import { findOrphans } from "../repos/orphans.ts";
import { rootOf, warnOfPending } from "../run/pending.ts";
import { lockFile } from "../declare/file-names.ts";
import type { SourceFlags } from "../sources/open-sources.ts";
import { repoStatus, type RepoStatus } from "./status-repos.ts";
import { stackStatus, type StackStatus } from "./status-stacks.ts";
import { labelsOf } from "../declare/sources.ts";

export interface StatusRequest {
  fetch: boolean;
  exitCode: boolean;
  flags: SourceFlags;
}

/** Where the workspace stands: stacks, repositories and files, against lock and record. Writes nothing. */
export function workspaceStatus(ctx: Context, request: StatusRequest) {
  return storingUnder(rootOf(ctx), () => lookAround(ctx, request));
}

async function lookAround(ctx: Context, request: StatusRequest) {
  const root = rootOf(ctx);
  const sources = openSources({
    settings: ctx.settings,
    folder: ctx.folders.cache,
    signal: ctx.signal,
    command: "writ status",
    flags: request.flags,
  });
  const pending = await warnOfPending(ctx);
  const how = { sources, fetch: request.fetch };
  const declaration = await readDeclaration(root, inputSettings(sources, ctx.registered));
  // Before the record is read: git works meanwhile, and a process that holds little starts others faster.
  const lookedAt = inParallel(declaration.declared.lock?.repos ?? [], sources.jobs, (repo) =>
    repoStatus(root, repo, how),
  );
  lookedAt.catch(() => undefined);
  const inputs = await withApplied(root, declaration);
  for (const warning of inputs.warnings) ctx.warn(warning);
  if (inputs.applied.corrupt) ctx.warn(rebuilt);
  const { manifest, lock } = inputs;
  const stacks = lock
    ? await inParallel(lock.stacks, sources.jobs, (stack) => stackStatus(root, stack, how))
    : unlocked(inputs);
  const [repos, drift, orphans, worktrees] = await Promise.all([
    lookedAt,
    findDrift(root, inputs.applied, inputs.lockHash),
    findOrphans(root, inputs.applied.applied?.repos ?? [], lock?.repos ?? []),
    worktreesIn(root, manifest.worktrees.baseDir),
  ]);
  const summary = summarise({ stacks, repos, drift, orphans: orphans.length, hasLock: lock !== undefined });
  const data = {
    name: manifest.name,
    schema: manifest.schema,
    has_lock: lock !== undefined,
    lock: { path: lockFile, sha256: inputs.lockHash },
    pending_swap: pending,
    stacks,
    repos,
    files_drift: drift,
    orphans: orphans.map(({ path }) => ({ path, reason: "no longer declared" })),
    worktrees,
    summary,
    next: nextOf({ inputs, stacks, repos, drift, orphans: orphans.length, pending }),
    ...(await otherBlocks(ctx)),
  };
  if (request.exitCode && !summary.in_sync) throw drifted(data);
  return data;
}

const rebuilt = {
  code: "W_STATE_REBUILT" as const,
  message: "The record of what was composed cannot be read.",
  remediation: "It is set aside and rebuilt by: writ bootstrap",
};

function unlocked({ manifest }: Inputs): StackStatus[] {
  const labels = labelsOf(manifest.stacks.map(({ source }) => source));
  return labels.map((label) => ({
    label,
    repo: label,
    ref: null,
    lockfile_commit: null,
    upstream_known: "unknown",
    in_sync: false,
  }));
}

interface Facts {
  stacks: readonly StackStatus[];
  repos: readonly RepoStatus[];
  drift: readonly Drift[];
  orphans: number;
  hasLock: boolean;
}

function summarise({ stacks, repos, drift, orphans, hasLock }: Facts) {
  const faults = drift.filter(({ kind }) => !harmless.has(kind));
  const moved = stacks.filter((stack) => !stack.in_sync).length;
  const unlike = repos.filter((repo) => !repo.matches_lock || !repo.right_remote).length;
  return {
    in_sync: hasLock && moved === 0 && unlike === 0 && faults.length === 0,
    stacks_out_of_sync: moved,
    repos_dirty_or_drifted: unlike,
    files_drift_count: faults.length,
    conflicts: drift.filter(({ kind }) => kind === "conflict").length,
    orphans,
    extras: drift.filter(({ kind }) => kind === "extra").length,
  };
}

const changedHere: ReadonlySet<Drift["kind"]> = new Set([
  "edited",
  "orphan_edited",
  "metadata_edited",
  "generated_edited",
]);

function nextOf(facts: {
  inputs: Inputs;
  stacks: readonly StackStatus[];
  repos: readonly RepoStatus[];
  drift: readonly Drift[];
  orphans: number;
  pending: boolean;
}): string[] {
  const { inputs, stacks, repos, drift, orphans, pending } = facts;
  if (!inputs.lock || pending) return ["writ bootstrap"];
  const kinds = new Set(drift.map(({ kind }) => kind));
  const first = drift.find(({ kind }) => changedHere.has(kind));
  const lacks = ["missing", "not_applied", "mirror_edited"] as const;
  const incomplete = lacks.some((kind) => kinds.has(kind)) || repos.some(({ exists }) => !exists);
  return [
    ...(incomplete ? ["writ bootstrap"] : []),
    ...(repos.some(({ behind }) => behind) ? ["writ bootstrap --update"] : []),
    ...(stacks.some(({ in_sync }) => !in_sync) ? ["writ sync"] : []),
    ...waysOut("writ bootstrap", conflictsOf(inputs, drift)),
    ...(first ? [`writ diff ${quote(first.path)} --local --patch`] : []),
    ...(orphans > 0 ? ["writ bootstrap --prune"] : []),
  ];
}

/** The conflicts that stand, with what the last run knew of each. */
function conflictsOf({ applied: { applied } }: Inputs, drift: readonly Drift[]): Conflict[] {
  const recorded = new Map((applied?.conflicts ?? []).map((one) => [one.path, one.unmerged]));
  return drift
    .filter(({ kind }) => kind === "conflict")
    .map(({ path }) => ({ path, unmerged: recorded.get(path) }));
}

async function worktreesIn(root: string, baseDir: string): Promise<{ name: string; path: string }[]> {
  const found: { name: string; path: string }[] = [];
  for (const name of namesIn(join(root, baseDir)).toSorted(compareBytes)) {
    const path = `${baseDir}/${name}`;
    if (await lstatOrNull(join(root, path, ".writ/workspace/worktree.json"))) found.push({ name, path });
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What other parts have to tell, each under its own name. */
async function otherBlocks(ctx: Context): Promise<Record<string, unknown>> {
  const blocks = await ctx.registered.statusBlocks();
  const read = await Promise.all(blocks.map(async (block) => [block.name, await block.read(ctx)] as const));
  return Object.fromEntries(read.filter(([, told]) => told !== undefined));
}

function joined(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(" and ");
}

function drifted(data: { summary: ReturnType<typeof summarise>; next: string[] }) {
  const { stacks_out_of_sync, repos_dirty_or_drifted, files_drift_count } = data.summary;
  const parts = [
    ...(stacks_out_of_sync > 0 ? [counted(stacks_out_of_sync, "stack")] : []),
    ...(repos_dirty_or_drifted > 0 ? [counted(repos_dirty_or_drifted, "repository", "repositories")] : []),
    ...(files_drift_count > 0 ? [counted(files_drift_count, "file")] : []),
  ];
  const one = stacks_out_of_sync + repos_dirty_or_drifted + files_drift_count === 1;
  return fail("E_DRIFT", {
    message: "The workspace is not as its lock says.",
    cause: parts.length === 0 ? "It has no lock yet." : `${joined(parts)} ${one ? "differs" : "differ"}.`,
    remediation: data.next.length > 0 ? data.next.join(", or ") : "See what differs: writ status",
    data,
  });
}
