import { setImmediate as breathe } from "node:timers/promises";
import type { Fingerprint } from "./disk.ts";
import type { Content, PlannedFile } from "../changeset/file-changeset.ts";
import { sha256 } from "./hashes.ts";
import type { Action } from "./journal.ts";
import type { Staging } from "./staging.ts";

/** One change of one path, before its bytes are staged. */
export interface Draft {
  path: string;
  from: string | null;
  to: string | null;
  content?: Content;
  /** Permissions of the written file; default 0644. */
  mode?: number;
  /** Target of the link that stands there now. */
  was?: string;
  /** The bytes that are replaced are somebody's work. */
  backup?: true;
}

/** Reads the bytes of blobs of one stack, one after another. */
export interface ReadBlobs {
  (stack: string, keys: readonly string[]): AsyncIterable<{ key: string; bytes: Buffer }>;
  /** The same of several stacks, by their labels, with one process. */
  together(
    wanted: ReadonlyMap<string, readonly string[]>,
  ): AsyncIterable<{ stack: string; key: string; bytes: Buffer }>;
}

/** The change a planned file asks for, or undefined when the disk stays as it is. */
export function draftOf(file: PlannedFile): Draft | undefined {
  const { path, step, local, next, output, found } = file;
  if (step !== "create" && step !== "update" && step !== "delete") return undefined;
  const was = found.kind === "link" ? { was: found.target } : {};
  const backup = file.settled === "theirs" || file.settled === "merge" ? { backup: true as const } : {};
  if (step === "delete") return { path, from: local, to: null, ...was, ...backup };
  const content: Content | undefined = file.bytes ? { kind: "bytes", bytes: file.bytes } : output?.content;
  const to = file.bytes ? sha256(file.bytes) : next;
  return { path, from: local, to, content, mode: modeOf(file), ...was, ...backup };
}

/** A file shared with the user keeps its permissions; the others have those their stack gives them. */
function modeOf({ kind, found, output }: PlannedFile): number {
  if ((kind === "context" || kind === "block") && found.kind === "file") return found.mode;
  return output?.mode === "100755" ? 0o755 : 0o644;
}

/** What the change is called in data and in the journal. */
export function actionOf(draft: Draft): Action["action"] {
  if (draft.to === null) return "delete";
  if (draft.content?.kind === "link") return "link";
  return draft.from === null ? "create" : "update";
}

export interface StagedActions {
  actions: Action[];
  /** The stat that each written file will have. */
  prints: Map<string, Fingerprint>;
}

// Files are written at once; whatever else this process does gets its turn in between.
const writesAtOnce = 64;

/** Stages the bytes of every change; blobs are read one after another. */
export async function stageDrafts(
  drafts: readonly Draft[],
  staging: Staging,
  readBlobs: ReadBlobs,
): Promise<StagedActions> {
  const actions: Action[] = [];
  const prints: StagedActions["prints"] = new Map();
  const put = async (draft: Draft, bytes: Buffer): Promise<void> => {
    const { name, print } = await staging.put(bytes, draft.mode);
    prints.set(draft.path, print);
    actions.push({ ...common(draft), staged: name });
  };
  for (const draft of drafts) {
    const { content } = draft;
    if (draft.to === null) actions.push(common(draft));
    else if (content?.kind === "link") actions.push({ ...common(draft), target: content.target });
    else if (content?.kind === "bytes") await put(draft, content.bytes);
  }
  const stacks = byStack(drafts);
  const wanted = new Map([...stacks].map(([stack, keys]) => [stack, [...keys.keys()]]));
  for await (const { stack, key, bytes } of readBlobs.together(wanted)) {
    for (const draft of stacks.get(stack)?.get(key) ?? []) await put(draft, bytes);
    if (actions.length % writesAtOnce === 0) await breathe();
  }
  return { actions, prints };
}

function byStack(drafts: readonly Draft[]): Map<string, Map<string, Draft[]>> {
  const stacks = new Map<string, Map<string, Draft[]>>();
  for (const draft of drafts) {
    if (draft.content?.kind !== "blob" || draft.to === null) continue;
    const { stack, key } = draft.content;
    const keys = stacks.get(stack) ?? new Map<string, Draft[]>();
    stacks.set(stack, keys);
    keys.set(key, [...(keys.get(key) ?? []), draft]);
  }
  return stacks;
}

function common(draft: Draft): Action {
  const { path, from, to, was, backup } = draft;
  return {
    path,
    action: actionOf(draft),
    from,
    to,
    ...(was !== undefined && { was }),
    ...(backup && { backup }),
  };
}
