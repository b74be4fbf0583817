import type { Style } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";
import { unmergedWords } from "../changeset/ways-out.ts";
import type { RunData } from "./run-schema.ts";

type Shown = Omit<RunData, "repos" | "orphans" | "pruned" | "prune_refused"> &
  Partial<RunData> & { dry_run?: boolean };

// A longer list would push what matters off the screen; the rest is in --json.
const shownAtMost = 20;

/** A run for people: sources, counts, what needs them, and what to do next. */
export function renderRun(data: Shown, style: Style): string {
  if (data.changed === false && data.reason) {
    const left = section("Repositories", orphanLines(data), style);
    return [quiet(data, style), ...left, ...section("Next", data.next, style)].join("\n");
  }
  const sections = [
    ["Stacks", data.stacks.map((stack) => stackLine(stack))],
    ["Files", fileLines(data)],
    ["Repositories", repoLines(data)],
    ["Lock", data.lock.changed ? ["updated"] : []],
    ["Next", data.next],
  ] as const;
  const head = `${style.bold("Workspace")} ${data.name}   ${headOf(data)}`;
  return [head, ...sections.flatMap(([title, lines]) => section(title, lines, style))].join("\n");
}

function headOf(data: Shown): string {
  const { mode, stacks, repos = [], changed, dry_run: dry } = data;
  if (mode === "undo") return "the last run was taken back";
  const counts = [
    ...(stacks.length > 0 ? [counted(stacks.length, "stack")] : []),
    ...(repos.length > 0 ? [counted(repos.length, "repository", "repositories")] : []),
  ];
  const end = changed === false && !dry ? `   ${unchanged(data)}` : "";
  return `${counts.join(", ")}${end}`;
}

/** A run that had nothing to write, as one thought with what it left alone. */
function unchanged({ files, conflicts }: Shown): string {
  if (conflicts.length > 0)
    return `Nothing changed; ${counted(conflicts.length, "conflict waits", "conflicts wait")} for you.`;
  if (files.kept === 0) return "Nothing changed.";
  return `Up to date; ${counted(files.kept, "file you edited is kept.", "files you edited are kept.")}`;
}

function quiet({ name, reason, mode }: Shown, style: Style): string {
  const words = reason === "up_to_date" ? "up to date" : (reason ?? mode).replaceAll("_", " ");
  return `${style.bold("Workspace")} ${name}   ${words}. Nothing changed.`;
}

/** A titled list, indented under its title; nothing when it is empty. */
export function section(title: string, lines: readonly string[], style: Style): string[] {
  const shown = lines.slice(0, shownAtMost);
  if (lines.length > shownAtMost) shown.push(`and ${lines.length - shownAtMost} more`);
  return shown.map((line, at) => `${at === 0 ? style.bold(title.padEnd(12)) : " ".repeat(12)} ${line}`);
}

function stackLine({ label, repo, ref, commit, previous_commit, source }: Shown["stacks"][number]): string {
  const at = commit === null ? "a folder" : `${short(ref)}  ${commit.slice(0, 8)}`;
  const told = previous_commit ? `updated from ${previous_commit.slice(0, 8)}` : `from ${source}`;
  return `${label}  ${repo}  ${at}  ${told}`;
}

function short(ref: string | null): string {
  return (ref ?? "").replace(/^refs\/(?:heads|tags)\//, "") || "pinned";
}

function fileLines({ files, conflicts, edited, backups }: Shown): string[] {
  const counts = [
    [files.created, "created"],
    [files.updated, "updated"],
    [files.deleted, "deleted"],
    [files.unchanged, "unchanged"],
    [files.kept, "edited (kept)"],
    [files.conflicts, files.conflicts === 1 ? "conflict" : "conflicts"],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return [
    told.join(", ") || "none",
    ...edited.map((path) => `edited    ${path}`),
    ...conflicts.map(
      ({ path, unmerged, theirs_path }) =>
        `conflict  ${path}   ${unmerged ? `${unmergedWords[unmerged]}; ` : ""}yours kept; new version in ${theirs_path}`,
    ),
    ...backups.map(({ path, backup }) => `backup    ${path}   your text is in ${backup}`),
  ];
}

function orphanLines({ orphans = [] }: Pick<Shown, "orphans">): string[] {
  return orphans.map(({ path }) => `${path}  no longer declared`);
}

function repoLines({
  repos = [],
  repos_kept,
  orphans = [],
  pruned = [],
  prune_refused = [],
}: Shown): string[] {
  return [
    ...repos.map(({ path, action, reason, branch, head }) => {
      const at = [branch, head?.slice(0, 8)].filter(Boolean).join("  ");
      return `${path}  ${action.replace("_", " ")}${reason ? ` (${reason.replaceAll("_", " ")})` : ""}  ${at}`;
    }),
    ...(repos_kept ? [`${repos_kept} left alone`] : []),
    ...orphanLines({ orphans }),
    ...pruned.map(({ path }) => `${path}  removed`),
    ...prune_refused.map(({ path, reason }) => `${path}  not removed: ${reason.replaceAll("_", " ")}`),
  ];
}
