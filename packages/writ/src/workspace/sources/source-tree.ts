import { join } from "node:path";
import {
  catFileBatch,
  lsTree,
  readOrNull,
  requireNoLinks,
  walkFolder,
  type Git,
} from "../../platform/index.ts";
import { requireCommit } from "./cache-read.ts";
import type { Answer } from "./resolve.ts";

/** One file, link or submodule of a stack. */
export interface SourceFile {
  path: string;
  /** "100644", "100755", "120000" (link), "160000" (submodule). */
  mode: string;
  size: number;
  /** False when the path's bytes are no UTF-8. */
  utf8: boolean;
  /** The git object; absent in a plain folder. */
  oid?: string;
}

/** What a source holds at its commit, or a plain folder at this moment. */
export interface SourceTree {
  files: SourceFile[];
  /** Reads files in the order given, one at a time; links and submodules cannot be read. */
  read(files: readonly SourceFile[], maxBytes?: number): AsyncIterable<{ file: SourceFile; bytes: Buffer }>;
}

const MAX_FOLDER_ENTRIES = 200_000;
const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Opens what a source was resolved to; `under` narrows it to some top folders and files. */
export async function openSourceTree(
  git: Git,
  {
    answer,
    under = [],
  }: { answer: Pick<Answer, "label" | "url" | "gitDir" | "ref" | "commit">; under?: readonly string[] },
): Promise<SourceTree> {
  const { gitDir, commit, url } = answer;
  if (gitDir === undefined || commit === undefined) return folderTree(url, under);
  const files: SourceFile[] = await lsTree(git, { gitDir, commit, under }).catch(async (error: unknown) => {
    await requireCommit(git, { ...answer, gitDir, commit });
    throw error;
  });
  return {
    files,
    async *read(wanted, maxBytes) {
      const oids = wanted.map((file) => file.oid ?? "");
      let at = 0;
      for await (const blob of catFileBatch(git, { gitDir, oids, maxBytes })) {
        const file = wanted[at++];
        if (file) yield { file, bytes: blob.bytes };
      }
    },
  };
}

async function folderTree(root: string, under: readonly string[]): Promise<SourceTree> {
  const skip = (path: string): boolean =>
    path === ".git" || (under.length > 0 && !under.some((top) => path === top || path.startsWith(`${top}/`)));
  const walked = await walkFolder(root, { skip, maxEntries: MAX_FOLDER_ENTRIES });
  const files = walked.flatMap((entry): SourceFile[] => {
    if (entry.kind === "folder") return [];
    const mode = entry.kind === "file" ? (entry.mode & 0o111 ? "100755" : "100644") : "120000";
    return [{ path: entry.path, mode, size: entry.sizeBytes, utf8: !entry.path.includes("\ufffd") }];
  });
  return {
    files,
    async *read(wanted, maxBytes = MAX_FILE_BYTES) {
      for (const file of wanted) {
        await requireNoLinks(root, file.path);
        const bytes = await readOrNull(join(root, file.path), { maxBytes, label: file.path });
        if (bytes) yield { file, bytes };
      }
    },
  };
}
