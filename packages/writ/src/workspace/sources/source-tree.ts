import { join } from "node:path";
import {
  catFileBatch,
  lsTree,
  lsTrees,
  readOrNull,
  requireNoLinks,
  walkFolder,
  type Git,
} from "../../platform/index.ts";
import type { Cache } from "./cache.ts";
import { isCached } from "./cache-place.ts";
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

/** The mode with which a file of a stack is composed. */
export function modeOf({ mode }: SourceFile): "100644" | "100755" {
  return mode === "100755" ? "100755" : "100644";
}

/** What a source holds at its commit, or a plain folder at this moment. */
export interface SourceTree {
  files: SourceFile[];
  /** Where the objects are; absent for a plain folder. */
  gitDir?: string;
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
  return knownTree(git, gitDir, files);
}

/** The same of many answers; those of the cache are listed together, and apart only when there is something to be said. */
export async function openSourceTrees(
  { git, folder }: Pick<Cache, "git" | "folder">,
  { answers, under }: { answers: readonly Answer[]; under: readonly string[] },
): Promise<SourceTree[]> {
  const cached = answers.filter(({ gitDir, commit }) => commit !== undefined && isCached(folder, gitDir));
  const [gitDir = "", ...others] = new Set(cached.map((answer) => answer.gitDir ?? ""));
  const alternates = others.map((other) => join(other, "objects"));
  const commits = cached.map(({ commit = "" }) => commit);
  const listed =
    cached.length > 1 ? await lsTrees(git, { gitDir, alternates, commits, under }).catch(() => []) : [];
  const known = new Map(cached.map((answer, at) => [answer, listed[at]]));
  return Promise.all(
    answers.map((answer) => {
      const files = known.get(answer);
      return files ? knownTree(git, answer.gitDir ?? "", files) : openSourceTree(git, { answer, under });
    }),
  );
}

/** What a commit holds, once its files are known. */
export function knownTree(git: Git, gitDir: string, files: SourceFile[]): SourceTree {
  return {
    files,
    gitDir,
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

/** Some files of one tree. */
export interface Wanted {
  tree: SourceTree;
  files: readonly SourceFile[];
}

/**
 * Reads files of many trees; those of the cache with one process, since to start one takes longer than to read a
 * stack. `at` tells which of the wanted a file belongs to; the files of each come in their order.
 */
export async function* readTogether(
  { git, folder }: Pick<Cache, "git" | "folder">,
  wanted: readonly Wanted[],
): AsyncGenerator<{ at: number; file: SourceFile; bytes: Buffer }> {
  // Ids of one length are of one kind, and git reads one kind at a time; a repository of the user's own stays apart.
  const kindOf = ({ tree, files }: Wanted): number =>
    isCached(folder, tree.gitDir) ? (files[0]?.oid?.length ?? 0) : 0;
  const all = wanted.map((one, at) => ({ ...one, at })).filter(({ files }) => files.length > 0);
  for (const [kind, group] of Map.groupBy(all, kindOf)) {
    if (kind === 0) {
      for (const { tree, files, at } of group)
        for await (const { file, bytes } of tree.read(files)) yield { at, file, bytes };
      continue;
    }
    const [gitDir = "", ...others] = new Set(group.map(({ tree }) => tree.gitDir ?? ""));
    const alternates = others.map((other) => join(other, "objects"));
    const rows = group.flatMap(({ files, at }) => files.map((file) => ({ at, file })));
    const oids = rows.map(({ file }) => file.oid ?? "");
    let next = 0;
    for await (const { bytes } of catFileBatch(git, { gitDir, alternates, oids })) {
      const row = rows[next++];
      if (row) yield { ...row, bytes };
    }
  }
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
