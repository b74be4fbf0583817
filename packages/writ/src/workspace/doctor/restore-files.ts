import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  createExclusive,
  errnoOf,
  inspectTarget,
  makeFolder,
  storing,
  writeAtomic,
} from "../../platform/index.ts";
import { hashOf, look } from "../swap/disk.ts";
import { draftOf, type Draft } from "../swap/drafts.ts";
import type { PlannedFile } from "../changeset/file-changeset.ts";
import type { Changeset } from "../changeset/changeset.ts";
import type { Room } from "./room.ts";

/** Puts composed files back that somebody deleted. Each is made where nothing stands, so nothing can be lost. */
export async function restoreMissing(room: Room): Promise<void> {
  const { changeset } = await room.observed();
  if (!changeset) return;
  const missing = changeset.files.filter(({ state, kind }) => state === "missing" && kind !== "block");
  const drafts = missing.flatMap((file) => draftOf(file) ?? []);
  for (const draft of drafts) if (draft.content?.kind !== "blob") await restore(room, draft, bytesOf(draft));
  for (const [stack, group] of Map.groupBy(drafts.filter(isBlob), (draft) => draft.content.stack)) {
    await restoreBlobs(room, changeset, { stack, group });
  }
}

type BlobDraft = Draft & { content: Extract<Draft["content"], { kind: "blob" }> };

function isBlob(draft: Draft): draft is BlobDraft {
  return draft.content?.kind === "blob";
}

function bytesOf({ content }: Draft): Buffer | undefined {
  return content?.kind === "bytes" ? content.bytes : undefined;
}

async function restoreBlobs(
  room: Room,
  changeset: Changeset,
  { stack, group }: { stack: string; group: BlobDraft[] },
): Promise<void> {
  const byKey = Map.groupBy(group, ({ content }) => content.key);
  for await (const { key, bytes } of changeset.readBlobs(stack, [...byKey.keys()])) {
    for (const draft of byKey.get(key) ?? []) await restore(room, draft, bytes);
  }
}

async function restore(
  { root }: Room,
  { path, content, mode }: Draft,
  bytes: Buffer | undefined,
): Promise<void> {
  await storing(path, async () => {
    if ((await inspectTarget(root, path)).kind !== "absent") return;
    const target = join(root, path);
    await makeFolder(dirname(target));
    if (content?.kind === "link") await symlink(content.target, target).catch(unlessThere);
    else if (bytes) await createExclusive(target, bytes, { ...(mode !== undefined && { mode }) });
  });
}

function unlessThere(error: unknown): void {
  if (errnoOf(error) !== "EEXIST") throw error;
}

/** Writes the block of .gitignore as the next run would; every line outside it stays byte for byte. */
export async function rewriteIgnore(room: Room): Promise<void> {
  const { changeset } = await room.observed();
  const block = changeset?.files.find(({ kind }) => kind === "block");
  const bytes = block && contentOf(block);
  if (!block || !bytes) return;
  await storing(block.path, async () => {
    // Whoever has edited the file since it was read keeps what they wrote; the next look sees it.
    if (hashOf(await look(room.root, block.path)) !== block.local) return;
    await writeAtomic(join(room.root, block.path), bytes);
  });
}

function contentOf({ output, bytes }: PlannedFile): Buffer | undefined {
  return bytes ?? (output?.content.kind === "bytes" ? output.content.bytes : undefined);
}
