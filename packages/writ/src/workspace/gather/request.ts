import type { Choices } from "../changeset/settle.ts";
import type { SourceFlags } from "../sources/open-sources.ts";

/** What a run was asked for; one shape for bootstrap, sync, diff and every dry run. */
export interface RunRequest {
  /** The capability whose act it is, and the command a person would type. */
  capability: string;
  command: string;
  /** Resolve anew and move the lock. */
  update: boolean;
  /** Limits an update to these stacks; empty means all. */
  stacks: readonly string[];
  frozen: boolean;
  strict: boolean;
  choices: Choices;
  /** Whether product repositories are looked at; sync leaves them alone. */
  repos: boolean;
  prune: boolean;
  discardIgnored: boolean;
  flags: SourceFlags;
  waitMs: number;
}

const noChoices: Choices = { merge: false, theirs: [], ours: [] };

/** A plain replay of the lock, to be changed where a caller asks for more. */
export function plainRequest(changes: Partial<RunRequest> = {}): RunRequest {
  return {
    capability: "workspace.bootstrap",
    command: "writ bootstrap",
    update: false,
    stacks: [],
    frozen: false,
    strict: false,
    choices: noChoices,
    repos: true,
    prune: false,
    discardIgnored: false,
    flags: {},
    waitMs: 30_000,
    ...changes,
  };
}

/** The mode that data names. */
export function modeOf(request: RunRequest, hasLock: boolean): "create" | "replay" | "update" | "frozen" {
  if (request.frozen) return "frozen";
  if (!hasLock) return "create";
  return request.update ? "update" : "replay";
}
