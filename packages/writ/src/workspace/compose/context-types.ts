import type { Warning } from "../../contract/index.ts";
import type { ContextPlan } from "./context-plan.ts";
import type { Index } from "./index-entries.ts";
import type { Damage } from "./markers.ts";
import type { State } from "./threeway.ts";

/** A stack, as the generated text names it. */
export interface StackLine {
  label: string;
  repo: string;
  /** Short or full ref name. */
  ref?: string;
  commit?: string;
}

/** A product repository, as the generated text names it. */
export interface RepoLine {
  path: string;
  repo: string;
  ref?: string;
}

/** The facts that generated text is made from; nothing of the overlay is among them. */
export interface Facts {
  workspaceName: string;
  stacks: readonly StackLine[];
  repos: readonly RepoLine[];
  index: Index;
}

/** Hashes of a context file's regions; the empty string when it has none. */
export interface RegionHashes {
  generated: string;
  editable: string;
}

export interface ContextInput extends Facts {
  plan: ContextPlan;
  /** Bytes of every path of `plan.paths` and of every recorded path; null when absent. */
  existing: ReadonlyMap<string, Buffer | null>;
  /** `regions[]` of applied.json by path. */
  applied: ReadonlyMap<string, RegionHashes>;
  /** Context files that are links to another one: left alone. */
  linked?: ReadonlySet<string>;
  /** Bytes of the notes recorded last, when the content store still has them. */
  baseNotes?: Buffer;
  /** Conflicts in generated regions that the caller settles: --theirs, --ours. */
  settle?: ReadonlyMap<string, "theirs" | "ours">;
}

/** Where one file's notes stand: `edited` has what others lack yet, `behind` lacks what another has. */
export type NotesState = "clean" | "edited" | "behind" | "conflict";

export interface ContextFile {
  path: string;
  role: "canonical" | "copy" | "import";
  /** The whole file after the run; the existing bytes when nothing is to be done. */
  bytes: Buffer;
  changed: boolean;
  /** The whole file with the region as it was composed, where the user has edited it since. */
  unedited?: Buffer;
  /** State of the generated region, with the region as the unit. */
  state: State;
  adopted: boolean;
  notes: NotesState;
  /** What to record in applied.json. */
  record: RegionHashes;
  /** The file holds text of the user outside both regions: not listed in .gitignore. */
  ownText: boolean;
  conflict?: {
    reason: "no_base" | "both_changed";
    /** Hashes of regions. */
    base?: string;
    local: string;
    theirs: string;
    /** The complete new file, for `.agents/.conflicts/<path>.theirs`. */
    theirsBytes: Buffer;
  };
}

/** A context file recorded earlier that agent_context no longer names. */
export interface RetiredContextFile {
  path: string;
  /** `delete` only when it holds nothing of the user that is not elsewhere; `forget` when nothing of Writ is left. */
  action: "delete" | "keep" | "forget";
  record?: RegionHashes;
}

export interface ContextResult {
  /** One for each context file that is not a link. */
  files: ContextFile[];
  /** Extras without markers, owned as whole files: decide them with the table of files. */
  extras: { path: string; bytes: Buffer }[];
  retired: RetiredContextFile[];
  adopted: string[];
  /** The run must be refused with `markersDamaged` when there is any. */
  damaged: Damage[];
  /** The merged notes, to be kept as the next base. */
  notes: Buffer;
  warnings: Warning[];
}
