import { composeFormat, type Applied, type AppliedRepo } from "./applied.ts";
import type { Fingerprint } from "./disk.ts";
import { lockedRepo } from "../gather/gather-repos.ts";
import { inputsHash } from "../gather/inputs.ts";
import type { Changeset } from "../changeset/changeset.ts";
import { recordConflicts, recordFiles } from "./record.ts";
import { repoText } from "../declare/sources.ts";

/** What applied.json will say once the changeset is carried out. */
export function nextApplied(
  changeset: Changeset,
  run: string,
  prints: ReadonlyMap<string, Fingerprint>,
): Applied {
  const { gathering, compose, context, files, lock, stacks, carried } = changeset;
  const before = gathering.inputs.applied.applied;
  const { contextResult } = compose;
  const overlay = overlayOf(changeset);
  const counts = fileCounts(changeset);
  return {
    schema: "writ-applied/1",
    format: composeFormat,
    inputs: isComplete(changeset) ? inputsHash(gathering.inputs.manifestHash, lock.hash) : "",
    lock: lock.hash,
    files: [...recordFiles(files, prints), ...(before?.files ?? []).filter(({ path }) => carried.has(path))],
    regions: [
      ...contextResult.files.map(({ path, record }) => ({ path, ...record })),
      ...contextResult.retired.flatMap(({ path, action, record }) =>
        action === "keep" && record ? [{ path, ...record }] : [],
      ),
    ].map(({ path, generated, editable }) => ({ path, generated, editable })),
    repos: recordRepos(changeset),
    stacks: stacks.map(({ stack }) => ({ label: stack.label, files: counts.get(stack.label) ?? 0 })),
    conflicts: recordConflicts(files),
    context: {
      canonical: context.canonical,
      mirrors: [...context.copies, ...context.imports],
      extras: [...context.plain, ...context.nativeRules.map(({ path }) => path)],
      linked: compose.linked,
    },
    ...(overlay && { overlay }),
    run,
  };
}

/** False when the next run has more to do although nothing changes: repositories that nobody looked at. */
function isComplete({ gathering, declared }: Changeset): boolean {
  return gathering.request.repos || declared.every((repo) => lockedRepo(gathering, repo) !== undefined);
}

/** How many composed files each stack provides, by its label; one that provides none is left out. */
export function fileCounts({ compose }: Changeset): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { origin } of compose.composition.files.values())
    counts.set(origin.stack, (counts.get(origin.stack) ?? 0) + 1);
  return counts;
}

function overlayOf({ overlay, gathering, compose }: Changeset): Applied["overlay"] {
  if (overlay.state === "unavailable") return gathering.inputs.applied.applied?.overlay;
  if (overlay.state === "none") return undefined;
  const { repo, want, answer } = overlay.overlay;
  const ref = answer.ref === undefined ? {} : { ref: answer.ref };
  return { repo, want, ...ref, commit: answer.commit ?? "", files: compose.composition.overlay.size };
}

/** The clones Writ made: those of this run and those of earlier ones that still stand. */
function recordRepos({ gathering, repos, orphans }: Changeset): AppliedRepo[] {
  const before = new Map((gathering.inputs.applied.applied?.repos ?? []).map((repo) => [repo.path, repo]));
  if (!gathering.request.repos) return [...before.values()];
  const standing = orphans.orphans.filter(({ path }) => !orphans.prunes.includes(path));
  const declared = repos.flatMap(({ declared: repo, action, answer }): AppliedRepo[] => {
    const known = before.get(repo.path);
    if (action !== "cloned") return known ? [known] : [];
    const commit = answer.commit ?? "";
    return [
      { path: repo.path, repo: repoText(repo.source), ref: answer.ref ?? commit, commit, from: repo.from },
    ];
  });
  return [...declared, ...standing];
}
