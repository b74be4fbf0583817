import type { ContextFile, ContextResult } from "../compose/context-types.ts";
import { hashOf, type OnDisk } from "../swap/disk.ts";
import type { PlannedFile } from "./file-changeset.ts";
import { sha256 } from "../swap/hashes.ts";

type Found = ReadonlyMap<string, OnDisk>;
type Settled = ReadonlyMap<string, "theirs" | "ours">;

/** Context files in the shape of every other planned file: what is written is the whole file. */
export function contextPlanned(result: ContextResult, found: Found, settled: Settled): PlannedFile[] {
  const at = (path: string): OnDisk => found.get(path) ?? { kind: "absent" };
  const files = result.files.map((file) => planned(file, at(file.path), settled.get(file.path)));
  const retired = result.retired.map(({ path, action }): PlannedFile => {
    const facts = whole(path, at(path));
    if (action === "delete") return { ...facts, state: "stale", step: "delete", next: null };
    if (action === "forget") return { ...facts, state: "gone", step: "forget", next: null };
    return { ...facts, state: "orphan_edited", step: "keep", next: null };
  });
  return [...files, ...retired];
}

function planned(file: ContextFile, found: OnDisk, choice: "theirs" | "ours" | undefined): PlannedFile {
  const { path, bytes, changed, state, conflict } = file;
  const kept = state === "conflict" || state === "edited" ? "keep" : "none";
  const step = !changed ? kept : found.kind === "absent" ? "create" : "update";
  return {
    ...whole(path, found),
    state,
    step,
    next: conflict ? sha256(conflict.theirsBytes) : sha256(bytes),
    bytes,
    ...(conflict && { reason: conflict.reason, theirs: conflict.theirsBytes }),
    ...(file.unedited && { unedited: file.unedited }),
    ...(choice && { settled: choice }),
  };
}

function whole(path: string, found: OnDisk): Pick<PlannedFile, "path" | "kind" | "base" | "local" | "found"> {
  return { path, kind: "context", base: null, local: hashOf(found), found };
}
