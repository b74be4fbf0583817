import { join } from "node:path";
import { lstatOrNull, readGitHead } from "../../platform/index.ts";
import type { Inputs } from "../gather/inputs.ts";
import { lockFile } from "../declare/file-names.ts";
import { findOrphans } from "../repos/orphans.ts";
import { modeOf, type RunRequest } from "../gather/request.ts";
import type { RunData } from "./run-schema.ts";

/** The data of a run that found everything as it was left: from lock and record alone, without git. */
export async function quietAnswer(root: string, inputs: Inputs, request: RunRequest): Promise<RunData> {
  const { lock, applied: state } = inputs;
  const { applied } = state;
  const orphans = await findOrphans(root, applied?.repos ?? [], lock?.repos ?? []);
  const counts = new Map((applied?.stacks ?? []).map(({ label, files }) => [label, files]));
  const overlay = applied?.overlay;
  return {
    changed: false,
    name: inputs.manifest.name,
    mode: modeOf(request, lock !== undefined),
    stacks: (lock?.stacks ?? []).map(({ id, repo, want, ref, commit }) => ({
      label: id,
      repo,
      want,
      ref: ref ?? null,
      commit: commit ?? null,
      source: "lock" as const,
      files: counts.get(id) ?? 0,
    })),
    repos: await Promise.all((lock?.repos ?? []).map((repo) => keptRepo(root, repo))),
    orphans: orphans.map(({ path }) => ({ path, reason: "no longer declared" })),
    pruned: [],
    prune_refused: [],
    files: { created: 0, updated: 0, deleted: 0, unchanged: unchangedCount(inputs), kept: 0, conflicts: 0 },
    changes: [],
    edited: [],
    adopted: [],
    collisions: [],
    conflicts: [],
    backups: [],
    agent_files: await agentFiles(root, inputs),
    skills: [],
    stack_metadata: [],
    ...(overlay && { overlay: { repo: overlay.repo, commit: overlay.commit, files: overlay.files } }),
    skipped: [],
    lock: { path: lockFile, changed: false, sha256: inputs.lockHash, moved: [] },
    next: orphans.length > 0 ? ["writ bootstrap --prune"] : [],
    reason: "up_to_date",
  };
}

function unchangedCount({ applied: { applied } }: Inputs): number {
  return (applied?.files.length ?? 0) + (applied?.regions.length ?? 0);
}

async function keptRepo(
  root: string,
  repo: NonNullable<Inputs["lock"]>["repos"][number],
): Promise<RunData["repos"][number]> {
  const head = await readGitHead(join(root, repo.path));
  return {
    path: repo.path,
    repo: repo.repo,
    ref: repo.ref,
    commit: repo.commit,
    source_stack: repo.from,
    action: "kept",
    ...head,
  };
}

async function agentFiles(root: string, { applied: { applied } }: Inputs): Promise<RunData["agent_files"]> {
  const context = applied?.context ?? { canonical: "", mirrors: [], extras: [], linked: [] };
  const sizes = await Promise.all(
    (applied?.regions ?? []).map(
      async ({ path }) => [path, (await lstatOrNull(join(root, path)))?.size ?? 0] as const,
    ),
  );
  return { ...context, bytes: Object.fromEntries(sizes) };
}
