import { realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";
import type { Settings } from "../../contract/index.ts";
import type { Catalogue } from "../catalogue/merge.ts";
import type { Presence } from "./availability.ts";

/** Looks what of each advisor is here: set variables and programs on PATH. Nothing is run and no key is read. */
export function findPresence(
  catalogue: Catalogue,
  { settings, root }: { settings: Settings; root: string },
): Map<string, Presence> {
  const environment = settings.environment();
  const valueOf = (name: string | undefined) =>
    (name === undefined ? undefined : environment[name]) || undefined;
  const folders = programFolders(environment.PATH ?? "", root);
  const looked = catalogue.advisors.map((advisor): [string, Presence] => {
    const address = valueOf(advisor.base_url_env);
    const model = valueOf(advisor.model_env);
    return [
      advisor.id,
      {
        credentialSet: valueOf(advisor.credential_env) !== undefined,
        ...(address !== undefined && { address }),
        ...(model !== undefined && { model }),
        executableFound:
          advisor.executable !== undefined && findProgram(advisor.executable, folders, root) !== undefined,
      },
    ];
  });
  return new Map(looked);
}

/** The folders of PATH a program may come from: what a relative one has, or one inside the workspace, could be anybody's. */
export function programFolders(path: string, root: string): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && !isInside(root, folder));
}

/** The first regular file of that name with an execute bit, wherever links lead outside the workspace; a name with a slash is never found. */
export function findProgram(name: string, folders: readonly string[], root: string): string | undefined {
  if (/[\\/]/.test(name) || name === "" || name.startsWith(".")) return undefined;
  return folders
    .map((folder) => join(folder, name))
    .find((path) => isProgram(path) && !leadsInside(root, path));
}

function leadsInside(root: string, path: string): boolean {
  return isInside(realOf(root), realOf(path));
}

/** Where a path leads; one that leads nowhere is itself. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

// Some hundred looks, at every status: asking another thread for each takes longer than all the rest of it.
function isProgram(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && (stats.mode & 0o111) !== 0;
  } catch {
    return false;
  }
}

function isInside(root: string, folder: string): boolean {
  const below = relative(root, folder);
  return below === "" || (!below.startsWith(`..${sep}`) && below !== ".." && !isAbsolute(below));
}
