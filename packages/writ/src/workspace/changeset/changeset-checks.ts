import { fail, nearest, type Warning } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import type { Asset } from "../compose/assets.ts";
import { hiddenTextWarnings, refuseHiddenText } from "../compose/hidden-text.ts";
import { alwaysOnChanged } from "../compose/index-entries.ts";
import type { Changeset } from "./changeset.ts";
import { unmergedWords, waysOut } from "./ways-out.ts";
import type { PlannedFile } from "./file-changeset.ts";
import { skillFindings } from "../compose/skills.ts";
import { skippedWarnings } from "../gather/stack-layer.ts";

/** Refuses what a strict run refuses; everything else that must be refused has been by now. */
export function refuseChangeset(changeset: Changeset): void {
  const { strict, choices, command } = changeset.gathering.request;
  for (const side of ["theirs", "ours"] as const)
    for (const path of choices[side]) if (path !== ".") requireDispute(changeset, side, path);
  if (!strict) return;
  const conflicts = changeset.files.filter(({ state }) => state === "conflict");
  if (conflicts.length > 0) {
    const paths = conflicts.map(({ path }) => path);
    throw fail("E_LOCAL_EDITS", {
      message: `${conflicts.length === 1 ? "1 file" : `${conflicts.length} files`} changed both here and in ${conflicts.length === 1 ? "its" : "their"} source; nothing was changed.`,
      cause: `${conflicts.length === 1 ? "It is" : "They are"} ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ", …" : ""}, and --strict was given.`,
      remediation: settling(command, conflicts),
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
  refuseHiddenText(writtenAssets(changeset));
}

/** Refuses to take a side where there are none: a mistyped path must not pass for a settled one. */
function requireDispute({ files }: Changeset, side: "theirs" | "ours", path: string): void {
  const file = files.find((one) => one.path === path);
  if (file?.settled === side) return;
  const disputed = files
    .filter(
      ({ state, settled }) => state === "conflict" || settled || (side === "theirs" && state === "edited"),
    )
    .map((one) => one.path);
  const near = nearest(path, disputed);
  const shown = path.slice(0, 200);
  throw fail("E_NOT_FOUND", {
    message: `There is no conflict at ${shown}; nothing was changed.`,
    cause: file ? `Its state is "${file.state.replaceAll("_", " ")}".` : "Writ composes nothing there.",
    remediation:
      near === undefined
        ? "See which files differ: writ status"
        : `Did you mean: writ bootstrap --${side} ${quote(near)}`,
    details: { path: shown, input: side, ...(near !== undefined && { nearest: near }) },
  });
}

function settling(command: string, conflicts: readonly PlannedFile[]): string {
  const [look = "", ...ends] = waysOut(command, conflicts);
  return `See both sides: ${look}; then: ${ends.join(", or ")}`;
}

function writtenAssets({ files, compose }: Changeset): Asset[] {
  return files.flatMap(({ path, kind, step }) => {
    const asset = compose.composition.files.get(path);
    return asset && kind === "copy" && (step === "create" || step === "update") ? [asset] : [];
  });
}

/** Tells everything that a person should know of a changeset and that changes nothing. */
export function warnOfChangeset(changeset: Changeset, more: readonly Warning[]): void {
  const { gathering, compose, files, repos, orphans, skipped } = changeset;
  const { ctx, inputs } = gathering;
  const changed = new Set(writtenAssets(changeset).map(({ path }) => path));
  const isFirst = inputs.applied.applied === undefined;
  const warnings: Warning[] = [
    ...inputs.warnings,
    ...compose.warnings,
    ...more,
    ...skippedWarnings(skipped),
    ...skillFindings(compose.composition.files).warnings,
    ...(gathering.request.strict ? [] : hiddenTextWarnings(writtenAssets(changeset))),
    ...(isFirst ? [] : alwaysOnChanged(compose.facts.index.rules, changed)),
    ...keptWarnings(gathering.request.command, files),
    ...repos.flatMap(({ declared, reason }) => (reason ? [keptRepo(declared.path, reason)] : [])),
    ...orphanWarnings(
      orphans.orphans.map(({ path }) => path).filter((path) => !orphans.prunes.includes(path)),
    ),
    ...upgradeWarnings(changeset),
  ];
  for (const warning of warnings) ctx.warn(warning);
}

function keptWarnings(command: string, files: Changeset["files"]): Warning[] {
  const inState = (...states: string[]) => files.filter(({ state }) => states.includes(state));
  const pathsIn = (...states: string[]) => inState(...states).map(({ path }) => path);
  const edited = pathsIn("edited", "orphan_edited");
  const conflicts = inState("conflict");
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
            message: `Changed both here and in their source: ${listed(conflicts.map(({ path }) => path))}; yours was kept.${unmergedText(conflicts)}`,
            remediation: settling(command, conflicts),
          },
        ]),
  ];
}

function unmergedText(conflicts: readonly PlannedFile[]): string {
  const stuck = Map.groupBy(conflicts, ({ unmerged }) => unmerged);
  return [...stuck]
    .flatMap(([why, files]) =>
      why ? [` No merge by line: ${unmergedWords[why]} (${listed(files.map(({ path }) => path))}).`] : [],
    )
    .join("");
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

function upgradeWarnings({ gathering: { inputs, request } }: Changeset): Warning[] {
  if (!inputs.upgraded || request.frozen) return [];
  return [
    {
      code: "W_LOCK_UPGRADED",
      message: "The AWaC lock is rewritten in Writ's format; wsp can no longer read it.",
      remediation: "Commit workspace.lock.yml.",
    },
  ];
}
