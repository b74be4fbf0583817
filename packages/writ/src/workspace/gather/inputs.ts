import { join } from "node:path";
import type { Warning } from "../../contract/index.ts";
import { readOrNull, storing } from "../../platform/index.ts";
import { composeFormat, readApplied, type AppliedState } from "../swap/applied.ts";
import { sha256 } from "../swap/hashes.ts";
import { lockFile, parseLock } from "../declare/lock.ts";
import { manifestFile, parseManifest, type ManifestSettings } from "../declare/manifest.ts";
import type { Lock } from "../declare/model/lock.ts";
import type { Manifest } from "../declare/model/manifest.ts";

// What a person writes fits many times over; more is found before it is parsed.
const maxFileBytes = 8 * 1024 * 1024;

/** What a run reads before it asks anybody: the declaration, the lock, and what was composed last. */
export interface Inputs {
  manifest: Manifest;
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
export async function readInputs(root: string, settings: ManifestSettings): Promise<Inputs> {
  const bytes = (await readInput(root, manifestFile)) ?? Buffer.alloc(0);
  const { manifest, warnings } = parseManifest(bytes, settings);
  const lockBytes = await readInput(root, lockFile);
  const parsed = lockBytes && parseLock(lockBytes);
  return {
    manifest,
    manifestHash: sha256(bytes),
    ...(parsed && { lock: parsed.lock, lockText: lockBytes.toString("utf8") }),
    lockHash: lockBytes ? sha256(lockBytes) : null,
    upgraded: parsed?.upgraded ?? false,
    applied: await readApplied(root),
    warnings,
  };
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
