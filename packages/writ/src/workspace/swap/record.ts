import type { AppliedConflict, AppliedFile } from "./applied.ts";
import { hashOf, type Fingerprint, type OnDisk } from "./disk.ts";
import type { PlannedFile } from "../changeset/file-changeset.ts";

/** A stat that no file has: the bytes on disk are not those of the record, so they are always hashed. */
export const noPrint: Fingerprint = { size: -1, mtime_ns: "0", ino: "0" };

/** What applied.json will say of the files once the plan is carried out. */
export function recordFiles(
  files: readonly PlannedFile[],
  prints: ReadonlyMap<string, Fingerprint>,
): AppliedFile[] {
  return files.flatMap((file) => recordFile(file, prints.get(file.path)) ?? []);
}

function recordFile(file: PlannedFile, staged: Fingerprint | undefined): AppliedFile | undefined {
  if (file.kind === "context") return undefined;
  const { state, step, output, recorded, found } = file;
  if (state === "conflict" || state === "orphan_edited") return recorded && { ...recorded, ...noPrint };
  if (step === "delete" || step === "forget" || !output) return undefined;
  const isWritten = step === "create" || step === "update";
  const print = isWritten
    ? file.bytes && file.kind === "copy"
      ? noPrint
      : (staged ?? noPrint)
    : printOf(found, output.sha256);
  const { origin } = output;
  return {
    path: file.path,
    kind: output.kind,
    sha256: output.sha256,
    mode: output.mode,
    ...print,
    ...(origin && { stack: origin.stack, source: origin.source }),
    ...(origin?.commit !== undefined && { commit: origin.commit }),
    ...(origin?.oid !== undefined && output.kind === "copy" && { blob: origin.oid }),
  };
}

function printOf(found: OnDisk, hash: string): Fingerprint {
  if (found.kind !== "file" && found.kind !== "link") return noPrint;
  return hashOf(found) === hash ? found.print : noPrint;
}

/** The files a run kept although it would have composed something else, or nothing. */
export function recordConflicts(files: readonly PlannedFile[]): AppliedConflict[] {
  return files.flatMap((file): AppliedConflict[] => {
    const { path, state, reason, unmerged, next } = file;
    if (state === "orphan_edited") return [{ path, reason: state, theirs: null }];
    return state === "conflict" && reason
      ? [{ path, reason, ...(unmerged && { unmerged }), theirs: next }]
      : [];
  });
}
