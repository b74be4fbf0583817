import { statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fail, type Where, type Workspace } from "../contract/index.ts";

/** The file that makes a folder a workspace. */
export const declarationName = "workspace.yml";

/** Finds the workspace: the flag, then the environment, then walking up from the current folder. Files only. */
export async function locate(where: Where, base: string): Promise<Workspace | undefined> {
  if (where.flag !== undefined) return named(resolve(base, where.flag), "flag");
  if (where.env !== undefined) return named(resolve(base, where.env), "env");
  for (let folder = where.cwd ?? base; ; folder = dirname(folder)) {
    if (isWorkspace(folder)) return { root: folder, source: "cwd" };
    if (dirname(folder) === folder) return undefined;
  }
}

// Long enough to answer what a busy page asks at once; too short for anybody to move a workspace and notice.
const freshMs = 100;

/** Finds the workspace for a server, which is asked for the same one again and again. */
export function createLocator(now: () => number) {
  let last: { flag: string; at: number; found: ReturnType<typeof locate> } | undefined;
  return (where: Where, base: string): ReturnType<typeof locate> => {
    const { flag } = where;
    if (flag === undefined || !isAbsolute(flag)) return locate(where, base);
    const at = now();
    if (last?.flag === flag && Math.abs(at - last.at) <= freshMs) return last.found;
    last = { flag, at, found: locate(where, base) };
    return last.found;
  };
}

/** A workspace named by the caller is that folder and no other: walking on would act on another project. */
async function named(root: string, source: "flag" | "env"): Promise<Workspace> {
  if (isWorkspace(root)) return { root, source };
  throw fail("E_NO_WORKSPACE", {
    message: `There is no workspace in ${root}.`,
    cause: `${source === "flag" ? "--workspace" : "WRIT_WORKSPACE"} names a folder that holds no ${declarationName}.`,
    remediation: `Make one there with writ init NAME --target ${root}, or name another folder with --workspace.`,
    details: { searched_from: root },
  });
}

// One look at a file that the system has just seen: asking another thread for it takes ten times as long.
function isWorkspace(folder: string): boolean {
  try {
    return statSync(join(folder, declarationName), { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
