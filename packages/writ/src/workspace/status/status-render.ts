import type { Style } from "../../contract/index.ts";
import { section } from "../run/run-render.ts";
import type { StatusData } from "./status-schema.ts";

/** The state of a workspace for people: one line each, with the command that would change it. */
export function renderStatus(data: StatusData, style: Style): string {
  const { name, stacks, repos, files_drift, orphans, summary, has_lock, pending_swap, next } = data;
  const state = summary.in_sync ? style.green("in sync") : style.yellow("differs");
  const word = has_lock ? state : style.yellow("not composed yet");
  const files = files_drift.map(({ path, kind }) => `${path}  ${driftWords[kind]}`);
  return [
    `${style.bold("Workspace")} ${name}   ${word}`,
    ...(pending_swap ? [style.yellow("An interrupted run is waiting to be completed.")] : []),
    ...section("Stacks", aligned(stacks.map(stackLine)), style),
    ...section(
      "Repositories",
      aligned([...repos.map(repoLine), ...orphans.map(({ path }) => [path, "no longer declared"] as const)]),
      style,
    ),
    ...section("Files", files, style),
    ...section("Next", next, style),
  ].join("\n");
}

const driftWords: Record<StatusData["files_drift"][number]["kind"], string> = {
  edited: "edited here",
  missing: "missing",
  conflict: "changed both here and in its stack",
  orphan_edited: "edited here, and gone from its stack",
  extra: "yours; no stack provides it",
  mirror_edited: "has notes that have not reached the other context files",
  generated_edited: "edited inside the generated region",
  metadata_edited: "edited here; the stack's own is what counts",
  not_applied: "newer than what is composed here",
  linked: "a link of yours",
};

type Line = readonly [name: string, told: string];

function aligned(lines: readonly Line[]): string[] {
  const width = Math.max(0, ...lines.map(([name]) => name.length));
  return lines.map(([name, told]) => `${name.padEnd(width)}  ${told}`);
}

function stackLine(stack: StatusData["stacks"][number]): Line {
  const { label, lockfile_commit, upstream_known, behind, ahead, in_sync } = stack;
  if (lockfile_commit === null) return [label, folderWords(stack)];
  if (upstream_known === "unknown")
    return [label, "locked; its newest commit is unknown (writ status --fetch)"];
  if (in_sync) return [label, "in sync"];
  const told = [behind ? `${behind} behind` : "", ahead ? `${ahead} ahead of its upstream` : ""];
  return [label, `${told.filter(Boolean).join(", ") || "moved"} (writ sync)`];
}

/** A stack without a commit: a folder, or one that no run has resolved yet. */
function folderWords({ upstream_known, in_sync }: StatusData["stacks"][number]): string {
  if (in_sync) return "in sync, a folder";
  return upstream_known === "unknown"
    ? "not locked yet (writ bootstrap)"
    : "a folder that changed (writ sync)";
}

function repoLine(repo: StatusData["repos"][number]): Line {
  if (!repo.exists) return [repo.path, "missing (writ bootstrap)"];
  if (!repo.is_git) return [repo.path, "is no git repository"];
  const isElsewhere = repo.modified_count + repo.untracked_count === 0 && !repo.matches_lock;
  const told = [
    repo.branch ?? "detached",
    repo.right_remote ? "" : "another repository than the declared one",
    repo.modified_count ? `${repo.modified_count} modified` : "",
    repo.untracked_count ? `${repo.untracked_count} untracked` : "",
    repo.unpushed ? `${repo.unpushed} unpushed ${repo.unpushed === 1 ? "commit" : "commits"}` : "",
    repo.stashes ? `${repo.stashes} stashed` : "",
    repo.in_progress ? `${repo.in_progress} in progress` : "",
    repo.behind ? `${repo.behind} behind (writ bootstrap --update)` : "",
    repo.matches_lock && !repo.behind ? "in sync" : "",
    isElsewhere ? "not at the lock's commit" : "",
  ];
  return [repo.path, told.filter(Boolean).join(", ")];
}
