import { join } from "node:path";
import type { Warning } from "../../contract/index.ts";
import { readOrNull, storing } from "../../platform/index.ts";
import { composeFormat, readApplied, type AppliedState } from "../swap/applied.ts";
import { sha256 } from "../swap/hashes.ts";
import { lockFile, manifestFile } from "../declare/file-names.ts";
import type { Lock } from "../declare/model/lock.ts";
import type { Manifest } from "../declare/model/manifest.ts";
import { readDeclared, type Declared, type DeclaredFiles, type InputSettings } from "./read-declared.ts";

// What a person writes fits many times over; more is found before it is parsed.
const maxFileBytes = 8 * 1024 * 1024;

/** What a run reads before it asks anybody: the declaration, the lock, and what was composed last. */
export interface Inputs {
  /** Without places when its reading was kept; see `whole`. */
  manifest: Manifest;
  whole(): Promise<Manifest>;
  manifestHash: string;
  lock?: Lock;
  lockText?: string;
  /** Null when there is no lock. */
  lockHash: string | null;
  /** The lock is one of AWaC, to be written anew. */
  upgraded: boolean;
  applied: AppliedState;
  warnings: Warning[];
}

/** Reads and validates workspace.yml, lock and applied.json. */
export async function readInputs(root: string, settings: InputSettings): Promise<Inputs> {
  return withApplied(root, await readDeclaration(root, settings));
}

/** What a run reads, once the declaration is read. */
export async function withApplied(root: string, { declared, files }: Declaration): Promise<Inputs> {
  const { manifestHash, lock, lockHash } = files;
  return {
    ...declared,
    manifestHash,
    lockHash,
    ...(lock && { lockText: lock.toString("utf8") }),
    applied: await readApplied(root),
  };
}

export interface Declaration {
  declared: Declared;
  files: DeclaredFiles;
}

/** Reads and validates workspace.yml and lock. */
export async function readDeclaration(root: string, settings: InputSettings): Promise<Declaration> {
  const [manifest, lock] = await Promise.all([readInput(root, manifestFile), readInput(root, lockFile)]);
  const files: DeclaredFiles = {
    manifest: manifest ?? Buffer.alloc(0),
    manifestHash: sha256(manifest ?? ""),
    lock,
    lockHash: lock && sha256(lock),
  };
  return { declared: await readDeclared(root, files, settings), files };
}

async function readInput(root: string, file: string): Promise<Buffer | null> {
  return storing(file, () => readOrNull(join(root, file), { maxBytes: maxFileBytes, label: file }));
}

/** True when nobody has changed workspace.yml or the lock since they were read. */
export async function areUnchanged(root: string, inputs: Inputs): Promise<boolean> {
  const manifest = await readInput(root, manifestFile);
  const lock = await readInput(root, lockFile);
  return (
    (manifest && sha256(manifest)) === inputs.manifestHash && (lock ? sha256(lock) : null) === inputs.lockHash
  );
}

/** The hash that tells whether anything a composition follows from has changed. */
export function inputsHash(manifestHash: string, lockHash: string | null): string {
  return sha256(`${composeFormat}\n${manifestHash}\n${lockHash ?? ""}\n`);
}
