import { join } from "node:path";
import { readOrNull, storing } from "../../platform/index.ts";

/** Where this checkout keeps what it composed; relative to the root, with "/". */
export const stateFolder = ".writ/workspace";

/** The files of one checkout's composition state. */
export function stateOf(root: string) {
  const folder = join(root, ".writ", "workspace");
  return {
    folder,
    lock: join(folder, "run.lock"),
    journal: join(folder, "journal.json"),
    applied: join(folder, "applied.json"),
    undo: join(folder, "undo.json"),
    backups: join(folder, "backups.json"),
    kept: join(folder, "kept"),
    staging: join(folder, "staging"),
    stagingOf: (run: string) => join(folder, "staging", run),
  };
}

/** What lies in the state folder besides the lock, which guards itself: a link here would lead a run elsewhere. */
export const statePlaces = [
  "kept",
  "staging",
  "journal.json",
  "applied.json",
  "undo.json",
  "backups.json",
].map((name) => `${stateFolder}/${name}`);

/** The path of a kept file, as data shows it. */
export function keptReference(hash: string): string {
  return `${stateFolder}/kept/${hash}`;
}

// Far above what a workspace at its bounds needs.
const maxStateBytes = 64 * 1024 * 1024;

/** Reads one of the state files, or answers null when it is not there; a pipe in its place is refused, not read. */
export async function readState(
  root: string,
  name: "applied" | "journal" | "undo" | "backups",
): Promise<Buffer | null> {
  const label = `${stateFolder}/${name}.json`;
  return storing(label, () => readOrNull(stateOf(root)[name], { maxBytes: maxStateBytes, label }));
}
