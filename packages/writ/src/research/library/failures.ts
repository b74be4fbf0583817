import { cancelled, type Context, fail, WritError } from "../../contract/index.ts";
import { errnoOf, storeError } from "../../platform/index.ts";
import { libraryFile, libraryFolder } from "./place.ts";

/** Another process has the file open in a way that excludes ours; which, where DuckDB says it. */
export function isHeldElsewhere(error: unknown): { pid?: number } | undefined {
  const text = messageOf(error);
  if (!/Could not set lock on file|Conflicting lock is held|being used by another process/.test(text))
    return undefined;
  const pid = /\(PID (\d+)\)/.exec(text)?.[1];
  return pid === undefined ? {} : { pid: Number(pid) };
}

/** What DuckDB refuses to open, as an error: only `newestSnapshot` can help. */
export function openFailure(error: unknown, newestSnapshot: string | undefined): Error {
  if (error instanceof WritError) return error;
  const text = messageOf(error);
  if (isUnavailable(error)) return unavailable(error);
  // Of what DuckDB is opened with, only this comes from a person.
  if (text === "Failed to set config") return noMemorySize(error);
  if (isSpace(text) || isUnwritten(text) || /Permission denied|Read-only file system/i.test(text))
    return storeFailure(error);
  return corrupt(error, newestSnapshot);
}

/**
 * What DuckDB or the file system threw while Writ worked in `folder`, as an error of Writ; what is none of the
 * machine's faults is a defect.
 */
export function workFailure(
  error: unknown,
  { signal, folder = libraryFolder }: Pick<Context, "signal"> & { folder?: string },
): unknown {
  if (error instanceof WritError) return error;
  if (signal.aborted) return givenUp(signal, error);
  if (errnoOf(error) !== undefined) return storeError(error, folder);
  const text = messageOf(error);
  if (isSpace(text) || isUnwritten(text) || text.startsWith("IO Error")) return storeFailure(error);
  if (text.startsWith("Out of Memory Error")) return outOfMemory(error);
  if (/^(FATAL Error|Serialization Error)/.test(text)) return corrupt(error, undefined);
  return error;
}

/** The caller has gone. */
export function givenUp(signal: AbortSignal, from?: unknown): WritError {
  const { reason } = signal as { reason?: unknown };
  return reason instanceof WritError ? reason : cancelled({ from });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

// A write that takes nothing, of which the system says no more, is how DuckDB meets the end of a disk too.
const noSpace =
  /No space left on device|ENOSPC|EDQUOT|disk quota|disk is full|not enough space on the disk|attempted to write 0 bytes|max_temp_directory_size/i;

/** Whether DuckDB, SQLite or the system says that the disk is full. */
function isSpace(text: string): boolean {
  return noSpace.test(text);
}

/** Whether DuckDB says, inside some other failure such as that of a commit, that a file could not be written. */
function isUnwritten(text: string): boolean {
  return /Could not (?:write|fsync|truncate|rename)|fsync failed/.test(text);
}

function isUnavailable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" || code === "ERR_DLOPEN_FAILED";
}

function unavailable(error: unknown): WritError {
  return fail("E_DUCKDB_UNAVAILABLE", {
    message: "The research library needs DuckDB, which cannot be loaded on this machine.",
    cause: "No binary of @duckdb/node-bindings for this platform is installed.",
    remediation: "Install Writ again, with its optional packages: npm install -g writ --include=optional",
    from: error,
  });
}

function storeFailure(error: unknown): WritError {
  const full = isSpace(messageOf(error));
  return fail("STORE_ERROR", {
    message: "The research library cannot be read or written.",
    cause: full ? "No space is left on the disk." : "The file system refused it.",
    remediation: full
      ? "Free some space and run the command again: df -h ."
      : `Look at its owner and rights, then run the command again: ls -l ${libraryFile}`,
    details: { path: libraryFile },
    from: error,
  });
}

function outOfMemory(error: unknown): WritError {
  return fail("STORE_ERROR", {
    message: "The research library needs more memory for this than it may take.",
    cause:
      "WRIT_RESEARCH_MEMORY bounds what DuckDB may use; its default is 1GiB, and less while a small library is filled.",
    remediation: "Run the command again with more: export WRIT_RESEARCH_MEMORY=4GiB",
    from: error,
  });
}

function noMemorySize(error: unknown): WritError {
  return fail("STORE_ERROR", {
    message: "WRIT_RESEARCH_MEMORY is not a size that DuckDB understands.",
    cause: "It is a number with a unit: 512MiB, 2GiB. The library was not opened, and is as it was.",
    remediation: "Name a size and run the command again: export WRIT_RESEARCH_MEMORY=1GiB",
    from: error,
  });
}

/** The file is a database, but none that Writ made. */
export function foreign(newestSnapshot: string | undefined): WritError {
  return corrupt(undefined, newestSnapshot, `${libraryFile} is a database of another program.`);
}

function corrupt(
  error: unknown,
  newestSnapshot: string | undefined,
  why = `DuckDB does not recognise ${libraryFile}.`,
): WritError {
  return fail("E_LIBRARY_CORRUPT", {
    message: "The research library cannot be read.",
    cause: newestSnapshot
      ? `${why} The newest snapshot is ${newestSnapshot}.`
      : `${why} There is no snapshot of it.`,
    remediation: newestSnapshot
      ? `Move the file away, then restore the snapshot: mv ${libraryFile} ${libraryFile}.damaged && writ research snapshot restore --from ${newestSnapshot}`
      : `Move the file away and begin anew: mv ${libraryFile} ${libraryFile}.damaged && writ research seed --spec equation.yml`,
    details: { path: libraryFile, newest_snapshot: newestSnapshot ?? null },
    from: error,
  });
}

/** There is no library yet, or no longer. */
export function missing(newestSnapshot: string | undefined): WritError {
  return fail("E_LIBRARY_MISSING", {
    message: `This workspace has no research library${newestSnapshot ? "" : " yet"}.`,
    cause: newestSnapshot
      ? `There is no ${libraryFile}. The newest snapshot is ${newestSnapshot}.`
      : `There is no ${libraryFile}; the first seed or the first restored snapshot makes it.`,
    remediation: newestSnapshot
      ? `Restore the snapshot: writ research snapshot restore --from ${newestSnapshot}`
      : "Seed it, or restore one: writ research seed --equation TEXT, or writ research snapshot restore --from DIR",
    details: { path: libraryFile, newest_snapshot: newestSnapshot ?? null },
  });
}

/** Nobody let go of it in time. */
export function held(of: { pid?: number; here?: true; waitMs: number }): WritError {
  const other = of.pid === undefined ? "another process" : `process ${of.pid}`;
  const who = of.here ? "another call of this process" : other;
  return fail("E_STORE_LOCKED", {
    message: "Another process is at work on the research library.",
    cause: `It is held by ${who}; Writ waited ${of.waitMs / 1000} s.`,
    remediation:
      of.pid === undefined
        ? "Run the command again in a moment."
        : `Run the command again once that process has ended: ps -p ${of.pid}`,
    details: {
      ...(of.pid !== undefined && { owner: { pid: of.pid } }),
      waited_ms: of.waitMs,
    },
  });
}
