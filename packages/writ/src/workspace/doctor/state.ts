import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { WritError } from "../../contract/index.ts";
import { counted, errnoOf, inspectTarget, lstatOrNull } from "../../platform/index.ts";
import { linkedContextFiles } from "../swap/disk-scan.ts";
import { noFault } from "../swap/faults.ts";
import { readApplied } from "../swap/applied.ts";
import { readJournal } from "../swap/journal.ts";
import { recover } from "../swap/recover.ts";
import { removeLeftovers } from "../swap/staging.ts";
import { stateOf } from "../swap/state.ts";
import { type CheckRow, type Finding, failed, info, ok, warn } from "./check.ts";
import { rebuildApplied } from "./rebuild-applied.ts";
import { type Room, withObserved } from "./room.ts";

/** What Writ itself keeps of this checkout. */
export const stateChecks: readonly CheckRow[] = [
  { id: "workspace.state", worst: "warn", workspace: true, look: lookAtApplied, fix: rebuildApplied },
  { id: "workspace.journal", worst: "warn", workspace: true, look: lookAtJournal, fix: finishJournal },
  { id: "workspace.leftovers", worst: "info", workspace: true, look: lookAtLeftovers, fix: clearLeftovers },
  { id: "workspace.links", worst: "fail", workspace: true, look: lookAtLinks },
];

async function lookAtApplied({ root }: Room): Promise<Finding> {
  const { applied, corrupt } = await readApplied(root);
  if (corrupt) {
    const fixable = (await readJournal(root)) === undefined;
    return warn("the record of what was composed cannot be read", {
      remediation: "writ doctor fix",
      fixable,
    });
  }
  // A reader works there as ever; whoever wants to write is told before it begins.
  const closed = await access(root, constants.W_OK).then(() => undefined, errnoOf);
  if (closed !== undefined)
    return warn(`nothing can be written in the workspace (${closed})`, { remediation: "ls -ld ." });
  return applied
    ? ok(`${counted(applied.files.length, "file")} composed`)
    : ok("nothing has been composed yet");
}

async function lookAtJournal({ root }: Room): Promise<Finding> {
  const journal = await readJournal(root);
  if (!journal) return ok("no run is waiting to be completed");
  return warn(`an interrupted run is waiting to be completed (${journal.run})`, {
    remediation: "writ doctor fix",
    fixable: true,
  });
}

async function finishJournal(room: Room): Promise<void> {
  await recover(room.ctx, room.root, { open: room.sources, fault: noFault });
}

async function lookAtLeftovers({ root }: Room): Promise<Finding> {
  const names = await readdir(stateOf(root).staging).catch(() => []);
  const journal = await readJournal(root);
  const dead = names.filter((name) => name !== journal?.run);
  if (dead.length === 0) return ok("nothing is left of earlier runs");
  return info(`${counted(dead.length, "folder")} of runs that did not end, unless one is at work now`, {
    remediation: "writ doctor fix",
    fixable: true,
  });
}

async function clearLeftovers({ root }: Room): Promise<void> {
  // What a journal needs is no leftover; finishing it clears the rest.
  if (!(await readJournal(root))) await removeLeftovers(root);
}

// Where Writ keeps and composes, and what may stand there; the folders first, so that the highest in the way is named.
const ownPlaces: readonly [path: string, kind: "folder" | "file"][] = [
  [".writ", "folder"],
  [".writ/workspace", "folder"],
  [".agents", "folder"],
  [".stack", "folder"],
  ["workspace.lock.yml", "file"],
  [".writ/workspace.json", "file"],
  [".writ/writ.db", "file"],
  [".writ/workspace/applied.json", "file"],
  [".writ/workspace/journal.json", "file"],
  [".writ/workspace/undo.json", "file"],
  [".writ/workspace/backups.json", "file"],
  [".writ/workspace/kept", "folder"],
  [".writ/workspace/staging", "folder"],
  [".writ/workspace/run.lock", "file"],
  [".writ/workspace/run.lock.owner", "file"],
];

/** Looks for links where Writ writes; those it made itself, and those between context files, are not foreign. */
async function lookAtLinks(room: Room): Promise<Finding> {
  const own = await foreignLink(
    room.root,
    ownPlaces.map(([path]) => path),
  );
  if (own) return own;
  for (const [path, kind] of ownPlaces) {
    const found = await lstatOrNull(join(room.root, path));
    const fits = kind === "folder" ? found?.isDirectory() : found?.isFile();
    if (found && !fits) return inTheWay(path, kind);
  }
  return withObserved(room, async ({ root, inputs, changeset, failure }) => {
    if (failure?.code === "E_UNSAFE_LINK") return linkFound(failure);
    const { applied } = inputs.applied;
    const files = (applied?.files ?? []).filter(({ kind }) => kind !== "link").map(({ path }) => path);
    const repos = (changeset?.declared ?? inputs.lock?.repos ?? []).map(({ path }) => path);
    const found = await foreignLink(root, [...files, ...repos]);
    if (found) return found;
    try {
      await linkedContextFiles(
        root,
        (applied?.regions ?? []).map(({ path }) => path),
      );
    } catch (error) {
      return linkFound(error);
    }
    return ok("no link stands where Writ writes");
  });
}

async function foreignLink(root: string, paths: readonly string[]): Promise<Finding | undefined> {
  for (const path of paths) {
    try {
      const target = await inspectTarget(root, path);
      if (target.kind === "link") return linkMessage(path);
    } catch (error) {
      return linkFound(error);
    }
  }
  return undefined;
}

function inTheWay(path: string, kind: "folder" | "file"): Finding {
  return failed(`something else stands where Writ keeps the ${kind} ${path}`, {
    remediation: `Look at it, then move it away: ls -ld ${path}`,
  });
}

function linkFound(error: unknown): Finding {
  if (!(error instanceof WritError) || error.code !== "E_UNSAFE_LINK") throw error;
  return linkMessage(String(error.failure.details?.path ?? error.failure.message));
}

function linkMessage(path: string): Finding {
  return failed(`${path} is a link that Writ did not make, or lies behind one`, {
    remediation: `Look at it, then move it away: ls -ld ${path}`,
  });
}
