import type { Style } from "../../contract/index.ts";
import type { StatusData } from "./status-schema.ts";

// A longer list would push what matters off the screen; the rest is in --json.
const shownAtMost = 20;

/** The state of a workspace for people: one line each, with the command that would change it. */
export function renderStatus(data: StatusData, style: Style): string {
  const { name, stacks, repos, files_drift, orphans, summary, has_lock, pending_swap, next } = data;
  const blocks = [
    [
      pending_swap ? style.yellow("An interrupted run is waiting to be completed.") : "",
      has_lock ? "" : "No lock yet.",
    ].filter(Boolean),
    stacks.map(stackLine),
    repos.map(repoLine),
    files_drift.map(({ path, kind }) => `${path}  ${kind.replaceAll("_", " ")}`),
    orphans.map(({ path }) => `${path}  no longer declared`),
    next.map((command, at) => `${at === 0 ? style.bold("Next") : "    "}  ${command}`),
  ];
  const head = `${style.bold(name)}  ${summary.in_sync ? style.green("in sync") : style.yellow("differs")}`;
  return [head, ...blocks.flatMap(short)].join("\n");
}

function short(lines: readonly string[]): string[] {
  if (lines.length <= shownAtMost) return [...lines];
  return [...lines.slice(0, shownAtMost), `and ${lines.length - shownAtMost} more`];
}

function stackLine({
  label,
  lockfile_commit,
  upstream_known,
  behind,
  ahead,
  in_sync,
}: StatusData["stacks"][number]): string {
  if (lockfile_commit === null) return `${label}  not locked`;
  if (upstream_known === "unknown") return `${label}  upstream unknown`;
  if (in_sync) return `${label}  in sync`;
  const told = [behind ? `${behind} behind` : "", ahead ? `${ahead} ahead` : ""].filter(Boolean).join(", ");
  return `${label}  ${told || "moved"} (writ sync)`;
}

function repoLine(repo: StatusData["repos"][number]): string {
  if (!repo.exists) return `${repo.path}  missing (writ bootstrap)`;
  if (!repo.is_git) return `${repo.path}  is no git repository`;
  const told = [
    repo.branch ?? "detached",
    repo.right_remote ? "" : "another repository",
    repo.modified_count ? `${repo.modified_count} modified` : "",
    repo.untracked_count ? `${repo.untracked_count} untracked` : "",
    repo.unpushed ? `${repo.unpushed} unpushed ${repo.unpushed === 1 ? "commit" : "commits"}` : "",
    repo.stashes ? `${repo.stashes} stashed` : "",
    repo.in_progress ? `${repo.in_progress} in progress` : "",
    repo.behind ? `${repo.behind} behind` : "",
  ];
  return `${repo.path}  ${told.filter(Boolean).join(", ")}`;
}
