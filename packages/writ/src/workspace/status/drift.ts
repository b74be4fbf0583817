import { assetFolders } from "../declare/file-names.ts";
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { compareBytes, readOrNull, storeError } from "../../platform/index.ts";
import type { Applied, AppliedFile, AppliedRegion, AppliedState } from "../swap/applied.ts";
import { maxContextBytes } from "../compose/context-bytes.ts";
import { regionHash } from "../compose/context-file.ts";
import { hashOf, type OnDisk } from "../swap/disk.ts";
import { scan } from "../swap/disk-scan.ts";
import { equalButForLineEndings } from "../swap/hashes.ts";
import { lockFile } from "../declare/file-names.ts";
import { parseMarkers } from "../compose/markers.ts";

export type DriftKind =
  | "edited"
  | "missing"
  | "conflict"
  | "orphan_edited"
  | "extra"
  | "mirror_edited"
  | "generated_edited"
  | "metadata_edited"
  | "not_applied"
  | "linked";

/** One way in which the disk differs from what was composed last. */
export interface Drift {
  path: string;
  kind: DriftKind;
  stack?: string;
}

/** Kinds that are told and are no fault: what the user added, and links of theirs. */
export const harmless: ReadonlySet<DriftKind> = new Set(["extra", "linked"]);

/** Compares disk, record and lock; never the cache, which other workspaces move. */
export async function findDrift(
  root: string,
  state: AppliedState,
  lockHash: string | null,
): Promise<Drift[]> {
  const { applied } = state;
  const notApplied: Drift[] =
    lockHash !== (applied?.lock ?? null) ? [{ path: lockFile, kind: "not_applied" }] : [];
  const found = applied
    ? [
        ...(await fileDrift(root, applied, state.recordedNs)),
        ...(await regionDrift(root, applied)),
        ...(applied.context?.linked ?? []).map((path): Drift => ({ path, kind: "linked" })),
      ]
    : [];
  const known = new Set([...(applied?.files ?? []), ...(applied?.conflicts ?? [])].map(({ path }) => path));
  const extras = await findExtras(root, known);
  return [...notApplied, ...found, ...extras].toSorted((a, b) => compareBytes(a.path, b.path));
}

async function fileDrift(root: string, applied: Applied, recordedNs: bigint): Promise<Drift[]> {
  const recorded = new Map(applied.files.map((file) => [file.path, file]));
  const conflicts = new Map(applied.conflicts.map((conflict) => [conflict.path, conflict.reason]));
  const paths = [...new Set([...recorded.keys(), ...conflicts.keys()])];
  const found = await scan({ root, recorded, recordedNs }, paths, new Set());
  return paths.flatMap((path) => {
    const file = recorded.get(path);
    const kind = kindOf({ file, found: found.get(path) ?? { kind: "absent" }, reason: conflicts.get(path) });
    return kind ? [{ path, kind, ...(file?.stack !== undefined && { stack: file.stack }) }] : [];
  });
}

interface FileFacts {
  file: AppliedFile | undefined;
  found: OnDisk;
  reason: "no_base" | "both_changed" | "orphan_edited" | undefined;
}

function kindOf({ file, found, reason }: FileFacts): DriftKind | undefined {
  if (file?.kind === "block") return undefined;
  if (found.kind === "absent") return file && reason !== "orphan_edited" ? "missing" : undefined;
  if (file && isAsComposed(found, file.sha256)) return undefined;
  if (reason === "orphan_edited") return "orphan_edited";
  if (reason !== undefined) return "conflict";
  return file?.path.startsWith(".stack/") ? "metadata_edited" : "edited";
}

function isAsComposed(found: OnDisk, hash: string): boolean {
  if (hashOf(found) === hash) return true;
  return found.kind === "file" && found.bytes !== undefined && equalButForLineEndings(found.bytes, hash);
}

async function regionDrift(root: string, applied: Applied): Promise<Drift[]> {
  const canonical = applied.context?.canonical;
  const notesOf = async (path: string) => editableHash(await readContext(root, path).catch(() => null));
  const shared = canonical === undefined ? undefined : await notesOf(canonical);
  const drifts = await Promise.all(
    applied.regions.map((region) =>
      driftOfRegion(root, region, region.path === canonical ? undefined : shared),
    ),
  );
  return drifts.flat();
}

function readContext(root: string, path: string): Promise<Buffer | null> {
  return readOrNull(join(root, path), { maxBytes: maxContextBytes, label: path });
}

async function driftOfRegion(
  root: string,
  region: AppliedRegion,
  shared: string | undefined,
): Promise<Drift[]> {
  const { path } = region;
  const bytes = await readContext(root, path).catch(() => undefined);
  if (bytes === null) return [{ path, kind: "missing" }];
  // What cannot be read is there, and is not what was composed.
  if (bytes === undefined) return [{ path, kind: "generated_edited" }];
  const parsed = parseMarkers(bytes);
  const drifts: Drift[] = [];
  const isWhole = parsed.state === "valid" && regionHash(bytes, parsed.generated) === region.generated;
  if (!isWhole) drifts.push({ path, kind: "generated_edited" });
  const notes = editableHash(bytes);
  const isNew = notes !== undefined && region.editable !== "" && notes !== region.editable;
  if (shared !== undefined && isNew && notes !== shared) drifts.push({ path, kind: "mirror_edited" });
  return drifts;
}

function editableHash(bytes: Buffer | null): string | undefined {
  if (!bytes) return undefined;
  const parsed = parseMarkers(bytes);
  return parsed.state === "valid" && parsed.editable ? regionHash(bytes, parsed.editable) : undefined;
}

async function findExtras(root: string, known: ReadonlySet<string>): Promise<Drift[]> {
  const found: Drift[] = [];
  for (const folder of assetFolders) {
    for await (const path of filesBelow(root, `.agents/${folder}`))
      if (!known.has(path)) found.push({ path, kind: "extra" });
  }
  return found;
}

/** What is no folder, links among it, told by the names of a folder alone: to look at ten thousand files takes long. */
async function* filesBelow(root: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(noneOf(folder));
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else yield path;
  }
}

const noneOf =
  (folder: string) =>
  (error: unknown): Dirent[] => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw storeError(error, folder);
  };
