import type { Fingerprint } from "./disk.ts";
import type { Content, PlannedFile } from "../plan/file-plan.ts";
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
export type ReadBlobs = (
  stack: string,
  keys: readonly string[],
) => AsyncIterable<{ key: string; bytes: Buffer }>;

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

/** Stages the bytes of every change; blobs are read stack by stack, each with one process. */
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
  const waiting: Promise<void>[] = [];
  for (const draft of drafts) {
    const { content } = draft;
    if (draft.to === null) actions.push(common(draft));
    else if (content?.kind === "link") actions.push({ ...common(draft), target: content.target });
    else if (content?.kind === "bytes") waiting.push(put(draft, content.bytes));
  }
  await Promise.all(waiting);
  for (const [stack, wanted] of byStack(drafts)) {
    await stageBlobs(readBlobs(stack, [...wanted.keys()]), wanted, put);
  }
  return { actions, prints };
}

// Flushing is what takes time; a few at once share the disk's work without holding many blobs in memory.
const flushesAtOnce = 32;

async function stageBlobs(
  blobs: AsyncIterable<{ key: string; bytes: Buffer }>,
  wanted: ReadonlyMap<string, Draft[]>,
  put: (draft: Draft, bytes: Buffer) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  try {
    for await (const { key, bytes } of blobs) {
      for (const draft of wanted.get(key) ?? []) {
        const one = put(draft, bytes).finally(() => running.delete(one));
        running.add(one);
        // A failure is thrown where it is awaited; until then it must not count as unheard.
        one.catch(() => {});
      }
      if (running.size >= flushesAtOnce) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
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
