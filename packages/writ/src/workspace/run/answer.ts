import { actionOf } from "../swap/drafts.ts";
import { theirsPath } from "../changeset/conflict-files.ts";
import { waysOut } from "../changeset/ways-out.ts";
import { lockFile } from "../declare/file-names.ts";
import { fileCounts } from "../swap/next-applied.ts";
import type { Changeset } from "../changeset/changeset.ts";
import type { PlannedRepo } from "../repos/repo-plan.ts";
import { modeOf } from "../gather/request.ts";
import type { RunData } from "./run-schema.ts";
import { skillFindings } from "../compose/skills.ts";
import { repoText } from "../declare/sources.ts";
import { keptReference } from "../swap/state.ts";
import type { SwapOutcome } from "../swap/swap.ts";

const noOutcome: SwapOutcome = { refused: [], backups: [], unpruned: [] };

/** The data of a run: of a real one with what came of it, of a dry one as it would be. */
export function answerOf(changeset: Changeset, outcome: SwapOutcome = noOutcome): RunData {
  const { gathering, files, compose, lock, skipped, overlay } = changeset;
  const { request, inputs } = gathering;
  const conflicts = conflictsOf(changeset, outcome);
  return {
    name: inputs.manifest.name,
    mode: modeOf(request, inputs.lock !== undefined),
    stacks: stacksOf(changeset),
    ...(request.repos
      ? reposData(changeset, outcome)
      : { repos: [], orphans: [], pruned: [], prune_refused: [] }),
    files: countsOf(changeset, conflicts.length),
    changes: changesOf(changeset, outcome),
    edited: files
      .filter(({ state }) => state === "edited" || state === "orphan_edited")
      .map(({ path }) => path),
    adopted: compose.contextResult.adopted,
    collisions: compose.composition.collisions,
    conflicts,
    backups: outcome.backups.map(({ path, sha256 }) => ({ path, backup: keptReference(sha256) })),
    agent_files: agentFiles(changeset),
    skills: skillFindings(compose.composition.files).skills,
    stack_metadata: compose.composition.stackMetadata,
    ...(overlay.state === "reached" && {
      overlay: {
        repo: overlay.overlay.repo,
        commit: overlay.overlay.answer.commit ?? "",
        files: compose.composition.overlay.size,
      },
    }),
    skipped,
    lock: { path: lockFile, changed: lock.changed, sha256: lock.hash, moved: lock.moved },
    next: nextOf(changeset, conflicts),
    ...(!request.repos && { repos_kept: changeset.reposKept }),
  };
}

function stacksOf(changeset: Changeset): RunData["stacks"] {
  const counts = fileCounts(changeset);
  return changeset.stacks.map(({ stack }) => {
    const { label, source, entry, answer, locked } = stack;
    const moved = locked?.commit !== undefined && locked.commit !== answer.commit;
    return {
      label,
      repo: repoText(source),
      want: entry.want,
      ref: answer.ref ?? null,
      commit: answer.commit ?? null,
      ...(moved && { previous_commit: locked.commit }),
      source: answer.from,
      files: counts.get(label) ?? 0,
    };
  });
}

function reposData(
  { repos, orphans }: Changeset,
  outcome: SwapOutcome,
): Pick<RunData, "repos" | "orphans" | "pruned" | "prune_refused"> {
  const pruned = orphans.prunes.filter((path) => !outcome.unpruned.includes(path));
  const standing = orphans.orphans.filter(({ path }) => !pruned.includes(path));
  return {
    repos: repos.map(repoData),
    orphans: standing.map(({ path }) => ({ path, reason: "no longer declared" })),
    pruned: pruned.map((path) => ({ path, reason: "no longer declared" })),
    prune_refused: [
      ...orphans.refused.map(({ path, reason, facts }) => ({ path, reason, facts })),
      ...outcome.unpruned.map((path) => ({ path, reason: "changed_meanwhile", facts: {} })),
    ],
  };
}

function repoData({ declared, answer, action, reason, place }: PlannedRepo): RunData["repos"][number] {
  const commit = answer.commit ?? "";
  const { branch, head } =
    place.kind === "clone" ? place.facts : { branch: branchOf(answer.ref), head: commit };
  return {
    path: declared.path,
    repo: repoText(declared.source),
    ref: answer.ref ?? commit,
    commit,
    source_stack: declared.stack ?? declared.from,
    action,
    ...(reason && { reason }),
    ...(branch !== undefined && { branch }),
    ...(head !== undefined && { head: action === "fast_forwarded" ? commit : head }),
  };
}

function branchOf(ref: string | undefined): string | undefined {
  return ref?.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
}

function countsOf({ files }: Changeset, conflicts: number): RunData["files"] {
  const count = (test: (file: (typeof files)[number]) => boolean) => files.filter(test).length;
  return {
    created: count(({ step }) => step === "create"),
    updated: count(({ step }) => step === "update"),
    deleted: count(({ step }) => step === "delete"),
    unchanged: count(({ step, state }) => step === "none" || (step === "record" && state !== "edited")),
    kept: count(
      ({ step, state }) =>
        (step === "keep" && state !== "conflict") || (step === "record" && state === "edited"),
    ),
    conflicts,
  };
}

function changesOf({ drafts, files }: Changeset, outcome: SwapOutcome): RunData["changes"] {
  const planned = new Map(files.map((file) => [file.path, file]));
  const written = drafts.map((draft): RunData["changes"][number] => {
    const file = planned.get(draft.path);
    const stack = file?.output?.origin?.stack ?? file?.recorded?.stack;
    return {
      path: draft.path,
      action: actionOf(draft),
      ...(stack !== undefined && { stack }),
      ...(draft.from !== null && { from: draft.from }),
      ...(draft.to !== null && { to: draft.to }),
      ...(file?.output?.alwaysOn && { always_on: true }),
    };
  });
  const adopted = files.flatMap(({ path, step, state, next, output }): RunData["changes"] => {
    if (step !== "record" || next === null) return [];
    const stack = output?.origin?.stack;
    return state === "edited"
      ? []
      : [{ path, action: "adopt", ...(stack !== undefined && { stack }), to: next }];
  });
  const refused = new Set(outcome.refused.map(({ path }) => path));
  return [...written, ...adopted]
    .filter(({ path }) => !refused.has(path))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function conflictsOf({ files }: Changeset, outcome: SwapOutcome): RunData["conflicts"] {
  const planned = files.flatMap((file): RunData["conflicts"] => {
    const { path, state, reason, unmerged, base, local, next } = file;
    if (state !== "conflict" || !reason) return [];
    return [
      {
        path,
        reason,
        ...(unmerged && { unmerged }),
        ...(base !== null && { base }),
        local,
        theirs: next,
        theirs_path: theirsPath(path),
      },
    ];
  });
  // Edited while the run was under way: the next run shows the other side.
  const late = outcome.refused.flatMap(({ path, local }): RunData["conflicts"] => {
    const file = files.find((one) => one.path === path);
    if (!file) return [];
    const { base, next } = file;
    return [
      {
        path,
        reason: "both_changed",
        ...(base !== null && { base }),
        local,
        theirs: next,
        theirs_path: theirsPath(path),
      },
    ];
  });
  return [...planned, ...late];
}

function agentFiles({ context, compose }: Changeset): RunData["agent_files"] {
  const { files, extras } = compose.contextResult;
  const sizes = [...files, ...extras].map(({ path, bytes }) => [path, bytes.length] as const);
  return {
    canonical: context.canonical,
    mirrors: [...context.copies, ...context.imports],
    extras: [...context.plain, ...context.nativeRules.map(({ path }) => path)],
    bytes: Object.fromEntries(sizes),
    linked: compose.linked,
  };
}

function nextOf({ gathering, orphans }: Changeset, conflicts: RunData["conflicts"]): string[] {
  const { command, prune } = gathering.request;
  return [
    ...waysOut(command, conflicts),
    ...(orphans.orphans.length > 0 && !prune ? ["writ bootstrap --prune"] : []),
  ];
}
