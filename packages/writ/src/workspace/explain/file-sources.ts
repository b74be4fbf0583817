import type { AppliedFile } from "../swap/applied.ts";
import type { Asset, Origin } from "../compose/assets.ts";
import type { Observed } from "../run/observe-changeset.ts";
import type { Changeset } from "../changeset/changeset.ts";
import { declaredStack, type Place } from "./declared-at.ts";

/** One layer's version of a file, with everything needed to find it again. */
export interface FileSource {
  stack: string;
  repo: string | null;
  ref: string | null;
  commit: string | null;
  /** Path inside the stack. */
  source: string;
  blob: string | null;
  declared_at: Place | null;
}

/** The asset that a composed path is a copy of, and those it hides, highest first. */
export function assetsAt(changeset: Changeset, path: string): { asset?: Asset; hidden: readonly Asset[] } {
  const { composition } = changeset.compose;
  const asset = composition.files.get(path) ?? composition.metadata.find((one) => one.path === path);
  return { ...(asset && { asset }), hidden: composition.losers.get(path) ?? [] };
}

/** An origin as data shows it. */
export function sourceOf(origin: Origin, { inputs }: Pick<Observed, "inputs">): FileSource {
  return {
    stack: origin.stack,
    repo: origin.repo ?? lockedRepo(inputs, origin.stack) ?? null,
    ref: origin.ref ?? null,
    commit: origin.commit ?? null,
    source: origin.source,
    blob: origin.oid ?? null,
    declared_at: declaredStack(inputs.manifest, origin.stack) ?? null,
  };
}

/** The same from what was composed last, where the layers cannot be read now. */
export function recordedSource(file: AppliedFile, { inputs }: Pick<Observed, "inputs">): FileSource | null {
  if (file.stack === undefined || file.source === undefined) return null;
  const locked = inputs.lock?.stacks.find(({ id }) => id === file.stack);
  return {
    stack: file.stack,
    repo: locked?.repo ?? null,
    ref: locked?.ref ?? null,
    commit: file.commit ?? null,
    source: file.source,
    blob: file.blob ?? null,
    declared_at: declaredStack(inputs.manifest, file.stack) ?? null,
  };
}

function lockedRepo(inputs: Observed["inputs"], label: string): string | undefined {
  return inputs.lock?.stacks.find(({ id }) => id === label)?.repo;
}
