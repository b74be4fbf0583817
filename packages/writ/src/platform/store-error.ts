import { accessSync, constants } from "node:fs";
import { isAbsolute, basename, dirname, relative, sep, win32 } from "node:path";
import { fail, toWritError, WritError } from "../contract/index.ts";

const facts: Record<string, { cause: string; remediation: (quoted: string) => string }> = {
  EACCES: {
    cause: "Permission denied.",
    remediation: (p) =>
      /^'?cache\b/.test(p)
        ? 'Work with a cache of your own: export WRIT_CACHE_DIR="$(mktemp -d)"'
        : `Give yourself the right to write there: chmod u+rwX ${p}`,
  },
  EPERM: {
    cause: "The operation is not permitted.",
    remediation: (p) => `Look at its owner and flags: ls -ld ${p}`,
  },
  EROFS: {
    cause: "The file system is read-only.",
    remediation: () => "Make it writable, or work on a copy of the workspace elsewhere.",
  },
  ENOSPC: {
    cause: "No space is left on the disk.",
    remediation: () => "Free some space and run the command again: df -h .",
  },
  EDQUOT: {
    cause: "The disk quota is used up.",
    remediation: () => "Free some space and run the command again: df -h .",
  },
  EBUSY: {
    cause: "Another program holds it.",
    remediation: () => "Close the program that has it open and run the command again.",
  },
  ETXTBSY: {
    cause: "Another program runs it.",
    remediation: () => "End that program and run the command again.",
  },
  EMFILE: {
    cause: "Too many files are open in this process.",
    remediation: () => "Raise the limit and run the command again: ulimit -n 4096",
  },
  ENFILE: {
    cause: "Too many files are open on this machine.",
    remediation: () => "Close some programs and run the command again.",
  },
  EIO: {
    cause: "The disk reported a fault.",
    remediation: () => "Check the disk, then run the command again.",
  },
  ENOENT: {
    cause: "It vanished, or its folder does not exist.",
    remediation: () => "Run the command again.",
  },
  ENOTDIR: {
    cause: "A file stands where a folder must be.",
    remediation: (p) => `Look at what is there: ls -ld ${p}`,
  },
  EISDIR: {
    cause: "A folder stands where a file must be.",
    remediation: (p) => `Look at what is there: ls -ld ${p}`,
  },
  ENOTEMPTY: { cause: "The folder is not empty.", remediation: (p) => `Look at what is there: ls -la ${p}` },
  EEXIST: {
    cause: "Something stands there already.",
    remediation: (p) => `Look at what is there: ls -ld ${p}`,
  },
  ELOOP: { cause: "Its links lead in a circle.", remediation: (p) => `Look at what is there: ls -ld ${p}` },
  ENAMETOOLONG: {
    cause: "The name is too long for this file system.",
    remediation: () => "Move the workspace to a folder with a shorter path.",
  },
};

/** The operating system's code of an error (`ENOSPC`), or undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/**
 * Turns a failure of the file system into STORE_ERROR that names `what`, a path relative to the workspace. Where the
 * system refused something above or below a path of several parts, that is what the error names.
 *
 * The system's own text is dropped, because it holds absolute paths. What is a WritError stays as it is, and an
 * error that is none of the system's is the defect it is: INTERNAL_ERROR.
 */
export function storeError(error: unknown, what: string): WritError {
  if (error instanceof WritError) return error;
  const errno = errnoOf(error);
  if (errno === undefined) return toWritError(error);
  const name =
    isAbsolute(what) || win32.isAbsolute(what) ? basename(slashed(what)) : refusedNear(what, error as Error);
  const fact = facts[errno];
  return fail("STORE_ERROR", {
    message: `"${name}" cannot be read or written.`,
    cause: fact?.cause ?? `The operating system answered ${errno}.`,
    remediation:
      fact?.remediation(quote(name)) ??
      "Check the folder and the disk, then run the command again: writ doctor",
    details: { path: name, errno },
    from: error,
  });
}

/** The path of the system's error in terms of ours, as far as they are of one line; a single word fits too much. */
function refusedNear(what: string, error: NodeJS.ErrnoException): string {
  const path = refusedPath(error);
  if (path === undefined || !/^\.\w|\//.test(what)) return what;
  const refused = slashed(path);
  const below = refused.lastIndexOf(`/${what}/`);
  if (below >= 0) return withoutTemporary(refused.slice(below + 1));
  const parts = what.split("/");
  for (let count = parts.length - 1; count > 0; count--) {
    const above = parts.slice(0, count).join("/");
    if (refused.endsWith(`/${above}`)) return above;
  }
  return what;
}

/**
 * The path of the system's error; where a folder above it may not be entered, that folder: to be given rights to what
 * is in it helps nobody.
 */
function refusedPath(error: NodeJS.ErrnoException): string | undefined {
  if (errnoOf(error) !== "EACCES" || error.path === undefined || !isAbsolute(error.path)) return error.path;
  let refused = error.path;
  for (let folder = dirname(refused); folder !== dirname(folder); folder = dirname(folder))
    if (!isEnterable(folder)) refused = folder;
  return refused;
}

function isEnterable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch (error) {
    return errnoOf(error) !== "EACCES";
  }
}

// A file is written under a name of its own first, which tells nobody anything.
function withoutTemporary(path: string): string {
  return path.replace(/\/\.[^/]*\.writ-tmp$/, "");
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

/** Runs file work and turns what the file system refuses into STORE_ERROR that names `what`. */
export async function storing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeError(error, what);
  }
}

/**
 * Like {@link storing}, for work on many files of one folder: the error names the file that was refused, relative to
 * the folder, or below the word that stands for it ("cache").
 */
export async function storingUnder<T>(root: string, work: () => Promise<T>, word?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeError(error, refusedBelow(root, error, word));
  }
}

function refusedBelow(root: string, error: unknown, word: string | undefined): string {
  const path = error instanceof Error ? refusedPath(error) : undefined;
  if (path === undefined) return word ?? basename(root);
  const below = relative(root, path);
  // A folder above it that may not be entered keeps all of it away.
  if (word !== undefined && /^(\.\.[/\\]?)*$/.test(below)) return word;
  // Of what lies elsewhere only the last name may be shown.
  if (below === "" || below.startsWith("..") || isAbsolute(below)) return path;
  const shown = below.split(sep).join("/");
  return word === undefined ? shown : `${word}/${shown}`;
}

/** A word for a POSIX shell, so that the command in a message works when it is pasted. */
export function quote(word: string): string {
  return /^[\w./@%+,:=-]+$/.test(word) && !word.startsWith("-") ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
