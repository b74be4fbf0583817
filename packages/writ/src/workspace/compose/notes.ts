import { sha256 } from "../swap/hashes.ts";
import type { NotesState } from "./context-types.ts";

/** One context file's editable region; null when it has none, or the file is absent. */
export interface NotesCopy {
  path: string;
  value: Buffer | null;
}

export interface NotesInput {
  /** Copies that Writ keeps equal, the canonical file first. */
  copies: readonly NotesCopy[];
  /** Files that agent_context no longer names. */
  retired?: readonly NotesCopy[];
  /** Hash of the value recorded last, by {@link notesHash}; absent or empty when none was. */
  base?: string;
  /** The recorded value itself, where it is still known. */
  baseValue?: Buffer;
}

export interface MergedNotes {
  /** What each copy is to hold. */
  values: Map<string, Buffer>;
  states: Map<string, NotesState>;
  /** The shared value; in a conflict the canonical's. */
  shared: Buffer;
  /** The hash to record as the next base. */
  base: string;
  /** Files that disagree. */
  conflict: string[];
}

/** Line endings do not count: an editor or git that turns them must not look like an edit. */
export function notesHash(value: Buffer): string {
  return sha256(Buffer.from(value.toString("latin1").replaceAll("\r\n", "\n"), "latin1"));
}

const none = Buffer.alloc(0);

/** Merges the copies of the shared notes three-way: whoever differs from the value recorded last, wrote. */
export function mergeNotes({ copies, retired = [], base, baseValue }: NotesInput): MergedNotes {
  // A missing base reads as "nothing written yet"; so an empty copy never competes with a written one.
  const recorded = base || notesHash(none);
  // A retired file speaks only where nobody else does yet: its text moves to the new canonical file.
  const sources = copies.some(({ value }) => value !== null) ? copies : [...copies, ...retired];
  const held = sources.flatMap(({ path, value }) => (value ? [{ path, value, hash: notesHash(value) }] : []));
  const written = held.filter((copy) => copy.hash !== recorded);
  const hashes = new Set(written.map((copy) => copy.hash));
  const kept = baseValue ?? held.find((copy) => copy.hash === recorded)?.value ?? none;
  if (hashes.size <= 1) {
    const shared = written[0]?.value ?? kept;
    return agreed({ copies, shared, written: hashes.size === 1 });
  }
  const [canonical] = copies;
  const own = new Map(held.map(({ path, value }) => [path, value]));
  const shared = (canonical && own.get(canonical.path)) ?? written[0]?.value ?? kept;
  const disputed = written.map((copy) => copy.path);
  const values = new Map<string, Buffer>();
  const states = new Map<string, NotesState>();
  for (const { path } of copies) {
    const writer = disputed.includes(path);
    values.set(path, writer ? (own.get(path) ?? shared) : shared);
    states.set(path, writer ? "conflict" : "clean");
  }
  // The base stays: recording one side would let the next run spread it over the other.
  return { values, states, shared, base: recorded, conflict: disputed };
}

function agreed({
  copies,
  shared,
  written,
}: {
  copies: readonly NotesCopy[];
  shared: Buffer;
  written: boolean;
}): MergedNotes {
  const hash = notesHash(shared);
  const values = new Map<string, Buffer>();
  const states = new Map<string, NotesState>();
  for (const { path, value } of copies) {
    const same = value !== null && notesHash(value) === hash;
    values.set(path, same ? value : shared);
    states.set(path, !written ? "clean" : same ? "edited" : "behind");
  }
  return { values, states, shared, base: hash, conflict: [] };
}
