import { fail, type Warning } from "../../contract/index.ts";
import type { Asset } from "../compose/assets.ts";
import { hiddenTextWarnings, refuseHiddenText } from "../compose/hidden-text.ts";
import { alwaysOnChanged } from "../compose/index-entries.ts";
import type { Plan } from "./plan.ts";
import { skillFindings } from "../compose/skills.ts";
import { skippedWarnings } from "../gather/stack-layer.ts";

/** Refuses what a strict run refuses; everything else that must be refused has been by now. */
export function refusePlan(plan: Plan): void {
  if (!plan.gathering.request.strict) return;
  const conflicts = plan.files.filter(({ state }) => state === "conflict");
  if (conflicts.length > 0) {
    const paths = conflicts.map(({ path }) => path);
    throw fail("E_LOCAL_EDITS", {
      message: `${conflicts.length} files changed both here and in their source; nothing was changed.`,
      cause: `They are ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ", …" : ""}, and --strict was given.`,
      remediation: `Look with writ diff, then settle them: writ bootstrap --merge, --theirs ${paths[0]} or --ours ${paths[0]}`,
      details: {
        conflicts: conflicts.map(({ path, reason, base, local, next }) => ({
          path,
          reason,
          base,
          local,
          theirs: next,
        })),
      },
    });
  }
  refuseHiddenText(writtenAssets(plan));
}

function writtenAssets({ files, compose }: Plan): Asset[] {
  return files.flatMap(({ path, kind, step }) => {
    const asset = compose.composition.files.get(path);
    return asset && kind === "copy" && (step === "create" || step === "update") ? [asset] : [];
  });
}

/** Tells everything that a person should know of a plan and that changes nothing. */
export function warnOfPlan(plan: Plan, more: readonly Warning[]): void {
  const { gathering, compose, files, repos, orphans, skipped } = plan;
  const { ctx, inputs } = gathering;
  const changed = new Set(writtenAssets(plan).map(({ path }) => path));
  const isFirst = inputs.applied.applied === undefined;
  const warnings: Warning[] = [
    ...inputs.warnings,
    ...compose.warnings,
    ...more,
    ...skippedWarnings(skipped),
    ...skillFindings(compose.composition.files).warnings,
    ...(gathering.request.strict ? [] : hiddenTextWarnings(writtenAssets(plan))),
    ...(isFirst ? [] : alwaysOnChanged(compose.facts.index.rules, changed)),
    ...keptWarnings(files),
    ...repos.flatMap(({ declared, reason }) => (reason ? [keptRepo(declared.path, reason)] : [])),
    ...orphanWarnings(
      orphans.orphans.map(({ path }) => path).filter((path) => !orphans.prunes.includes(path)),
    ),
    ...upgradeWarnings(plan),
  ];
  for (const warning of warnings) ctx.warn(warning);
}

function keptWarnings(files: Plan["files"]): Warning[] {
  const pathsIn = (...states: string[]) =>
    files.filter(({ state }) => states.includes(state)).map(({ path }) => path);
  const edited = pathsIn("edited", "orphan_edited");
  const conflicts = pathsIn("conflict");
  return [
    ...(edited.length === 0
      ? []
      : [
          {
            code: "W_EDITS_KEPT" as const,
            message: `You edited ${listed(edited)}; kept as it is.`,
            remediation: "Look: writ diff --local --patch",
          },
        ]),
    ...(conflicts.length === 0
      ? []
      : [
          {
            code: "W_CONFLICT" as const,
            message: `Changed both here and in their source: ${listed(conflicts)}; yours was kept.`,
            remediation: "See .agents/.conflicts, then: writ bootstrap --merge, --theirs PATH or --ours PATH",
          },
        ]),
  ];
}

function listed(paths: readonly string[]): string {
  return `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`;
}

function keptRepo(path: string, reason: string): Warning {
  return {
    code: "W_REPO_KEPT",
    message: `The repository ${path} was not moved forward: ${reason.replace("_", " ")}.`,
    remediation: `Look at it: git -C ${path} status`,
  };
}

function orphanWarnings(paths: readonly string[]): Warning[] {
  if (paths.length === 0) return [];
  return [
    {
      code: "W_ORPHANS",
      message: `Repositories cloned earlier are no longer declared: ${listed(paths)}.`,
      remediation: "Remove those that hold nothing of yours: writ bootstrap --prune",
    },
  ];
}

function upgradeWarnings({ gathering: { inputs, request } }: Plan): Warning[] {
  if (!inputs.upgraded || request.frozen) return [];
  return [
    {
      code: "W_LOCK_UPGRADED",
      message: "The AWaC lock is rewritten in Writ's format; wsp can no longer read it.",
      remediation: "Commit workspace.lock.yml.",
    },
  ];
}
