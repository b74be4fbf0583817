import { join, resolve } from "node:path";
import { hashOfContent, isComposed } from "../compose/content-hash.ts";
import { assetFolders, metadataFiles, stackFile } from "../declare/file-names.ts";
import type { LockStack } from "../declare/model/lock.ts";
import { lstatOrNull, readOrNull, sha256Hex } from "../../platform/index.ts";
import type { Sources } from "../sources/open-sources.ts";
import { modeOf, openSourceTree } from "../sources/source-tree.ts";
import type { StackStatus } from "./status-stacks.ts";

/**
 * A folder without git has no commit: the lock holds the hash of its content. Most are as they were composed, which
 * the bytes alone tell; to say anything else of one takes all that composes.
 */
export async function folderStatus(
  root: string,
  stack: LockStack,
  sources: Sources,
): Promise<Pick<StackStatus, "upstream_known" | "in_sync">> {
  const folder = resolve(root, stack.repo.replace(/^path:/, ""));
  const content = await plainContent(folder, sources).catch(() => undefined);
  if (content !== undefined && content === stack.content) return { upstream_known: "fetched", in_sync: true };
  const { readFolderStatus } = await import("./status-folder-read.ts");
  return readFolderStatus(root, stack, sources);
}

/** What the lock would hold of a folder, where what it says of itself was read before; undefined elsewhere. */
async function plainContent(folder: string, { git, cache }: Sources): Promise<string | undefined> {
  if (await lstatOrNull(join(folder, ".git"))) return undefined;
  const manifest = await readOrNull(join(folder, stackFile), maxKeptBytes);
  const facts = manifest ? await readFacts(cache.folder, manifest) : {};
  if (!facts) return undefined;
  const counts = (path: string): boolean =>
    isComposed(path) || (facts.product !== undefined && metadataFiles.includes(path));
  const under = [...assetFolders, ...metadataFiles];
  const tree = await openSourceTree(git, { answer: { label: "", url: folder }, under });
  if (tree.files.some(({ utf8 }) => !utf8)) return undefined;
  const files = tree.files.filter(({ path, mode }) => counts(path) && mode !== "120000");
  const parts: Parameters<typeof hashOfContent>[0][number][] = [];
  for await (const { file, bytes } of tree.read(files)) {
    parts.push({ path: file.path, mode: modeOf(file), sha256: sha256Hex(bytes) });
  }
  return hashOfContent(parts);
}

/** What is kept of the reading of an awac.yml without faults. */
export interface StackFacts {
  product?: string;
}

const maxKeptBytes = 1024 * 1024;

/** Where it is kept: by the bytes that were read, in the cache of this user, where no stack can put it. */
export function factsOf(cache: string, manifest: Buffer): string {
  return join(cache, "read", `stack-1-${sha256Hex(manifest)}.json`);
}

async function readFacts(cache: string, manifest: Buffer): Promise<StackFacts | undefined> {
  const kept = await readOrNull(factsOf(cache, manifest), maxKeptBytes);
  return kept ? (JSON.parse(kept.toString("utf8")) as StackFacts) : undefined;
}
