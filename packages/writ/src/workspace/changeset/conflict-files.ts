import { join } from "node:path";
import { walkFolder } from "../../platform/index.ts";
import { hashOf, look } from "../swap/disk.ts";
import type { Draft } from "../swap/drafts.ts";
import type { Content, PlannedFile } from "./file-changeset.ts";
import { sha256 } from "../swap/hashes.ts";

export const conflictFolder = ".agents/.conflicts";

/** Where the other side of a conflict is shown; the suffix keeps clients from loading it. */
export function theirsPath(path: string): string {
  return `${conflictFolder}/${path}.theirs`;
}

export type ReadBase = (file: PlannedFile) => Promise<Buffer | undefined>;

/** The changes that make `.agents/.conflicts/` show exactly the conflicts there are. */
export async function planConflictFiles(
  root: string,
  files: readonly PlannedFile[],
  readBase: ReadBase,
): Promise<Draft[]> {
  const wanted = new Map<string, { hash: string; content: Content }>();
  for (const file of files) {
    if (file.state !== "conflict") continue;
    const theirs = theirsOf(file);
    if (theirs) wanted.set(theirsPath(file.path), theirs);
    const base = file.reason === "both_changed" && file.kind === "copy" ? await readBase(file) : undefined;
    if (base) {
      const path = `${conflictFolder}/${file.path}.base`;
      wanted.set(path, { hash: sha256(base), content: { kind: "bytes", bytes: base } });
    }
  }
  const standing = await walkFolder(join(root, conflictFolder));
  const present = standing
    .filter(({ kind }) => kind !== "folder")
    .map(({ path }) => `${conflictFolder}/${path}`);
  const drafts: Draft[] = [];
  for (const path of [...new Set([...wanted.keys(), ...present])].sort()) {
    const from = hashOf(await look(root, path));
    const want = wanted.get(path);
    if (want && want.hash !== from) drafts.push({ path, from, to: want.hash, content: want.content });
    if (!want && from !== null) drafts.push({ path, from, to: null });
  }
  return drafts;
}

function theirsOf({ theirs, output }: PlannedFile): { hash: string; content: Content } | undefined {
  if (theirs) return { hash: sha256(theirs), content: { kind: "bytes", bytes: theirs } };
  if (!output || output.content.kind === "link") return undefined;
  return { hash: output.sha256, content: output.content };
}
