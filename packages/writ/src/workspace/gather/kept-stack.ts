import { join } from "node:path";
import { readOrNull, writeAtomic, type Git } from "../../platform/index.ts";
import type { Asset, AssetFacts } from "../compose/assets.ts";
import { isCached, readWhole } from "../sources/cache-place.ts";
import type { Sources } from "../sources/open-sources.ts";
import type { Answer } from "../sources/resolve.ts";
import { knownTree, type SourceFile } from "../sources/source-tree.ts";
import { openStacks, readAllFiles, type OpenedStack, type StackFiles } from "./stack-layer.ts";

/** An opened stack, and what its files say where that is known. */
export interface StackRead {
  opened: OpenedStack;
  files?: StackFiles;
  /** Keeps what the files were read as. */
  keep?(files: StackFiles): Promise<void>;
}

export interface ReadOptions {
  label: string;
  answer: Answer;
  /** Which Writ reads. */
  version: string;
}

type Readers = Pick<Sources, "git" | "cache">;

/** What the files of one commit were read as. */
interface KeptStack {
  key: string;
  files: KeptFile[];
  skipped: OpenedStack["skipped"];
  /** The bytes of awac.yml, in base64. */
  manifest?: string;
}

interface KeptFile extends Omit<SourceFile, "utf8"> {
  oid: string;
  as: Asset["mode"];
  sha256: string;
  facts?: AssetFacts;
}

// Moves when the same bytes would be read as something else.
const readFormat = "1";
const keptFile = "writ-read.json";
const maxKeptBytes = 16 * 1024 * 1024;

/**
 * Opens a stack that was read before, else undefined. A commit never changes, so what its files were read as is kept
 * in its cached repository, where no stack can put it; the bytes are read again, and held against their hashes, when
 * they are to be written.
 */
export async function openKept(
  { git, cache }: Readers,
  options: ReadOptions,
): Promise<StackRead | undefined> {
  const { gitDir } = options.answer;
  // A repository of the user's own is none to put files in.
  if (!isCached(cache.folder, gitDir)) return undefined;
  const kept = await readKept(join(gitDir, keptFile), keyOf(options));
  return kept && (await readWhole({ gitDir })) ? restore(git, { ...options, gitDir, kept }) : undefined;
}

/** Opens stacks that were not read before; the first that is wrong is thrown. */
export async function openUnread(
  { cache }: Pick<Readers, "cache">,
  stacks: readonly ReadOptions[],
): Promise<StackRead[]> {
  const opened = await openStacks(cache, stacks);
  return opened.map((stack, at): StackRead => {
    const { gitDir } = stack.answer;
    if (!isCached(cache.folder, gitDir)) return { opened: stack };
    const key = keyOf(stacks[at] as ReadOptions);
    return {
      opened: stack,
      keep: (files) => keep(join(gitDir, keptFile), keptOf(key, stack, files)),
    };
  });
}

/** Opens one stack, whether it was read before or not. */
export async function openRead(readers: Readers, options: ReadOptions): Promise<StackRead> {
  const kept = await openKept(readers, options);
  return kept ?? ((await openUnread(readers, [options]))[0] as StackRead);
}

function keyOf({ version, answer }: ReadOptions): string {
  return JSON.stringify([readFormat, version, answer.commit]);
}

/** What the files of each stack say, in their order: those that are not known yet are read together. */
export async function readRest(
  { cache }: Pick<Readers, "cache">,
  stacks: readonly StackRead[],
  room: { bytes: number },
): Promise<StackFiles[]> {
  const rest = stacks.filter(({ files }) => !files);
  const opened = rest.map((stack) => stack.opened);
  const read = await readAllFiles(cache, opened, room);
  await Promise.all(rest.map((stack, at) => stack.keep?.(read[at] as StackFiles)));
  const found = new Map(rest.map((stack, at) => [stack, read[at]]));
  return stacks.map((stack) => stack.files ?? (found.get(stack) as StackFiles));
}

function restore(
  git: Git,
  { label, answer, gitDir, kept }: ReadOptions & { gitDir: string; kept: KeptStack },
): StackRead {
  const assets = kept.files.map(({ as, sha256, facts, ...file }) => {
    const source: SourceFile = { ...file, utf8: true };
    return { path: file.path, mode: as, sha256, size: file.size, source, ...(facts && { facts }) };
  });
  const files = assets.map(({ source }) => source);
  const opened: OpenedStack = {
    label,
    answer,
    tree: knownTree(git, gitDir, files),
    files: new Map(files.map((file) => [file.path, file])),
    skipped: kept.skipped.map(({ path, reason }) => ({ path: `${label}:${path}`, reason })),
    held: new Map(),
    hashes: new Map(kept.files.map(({ oid, sha256 }) => [oid, sha256])),
  };
  const manifest = kept.manifest === undefined ? undefined : Buffer.from(kept.manifest, "base64");
  return { opened, files: { manifest, assets } };
}

function keptOf(key: string, { label, skipped }: OpenedStack, files: StackFiles): KeptStack {
  return {
    key,
    files: files.assets.map(({ source: { path, mode, size, oid = "" }, mode: as, sha256, facts }) => ({
      path,
      mode,
      size,
      oid,
      as,
      sha256,
      ...(facts && { facts }),
    })),
    skipped: skipped.map(({ path, reason }) => ({ path: path.slice(label.length + 1), reason })),
    ...(files.manifest && { manifest: files.manifest.toString("base64") }),
  };
}

async function readKept(path: string, key: string): Promise<KeptStack | undefined> {
  try {
    const bytes = await readOrNull(path, maxKeptBytes);
    const kept = bytes && (JSON.parse(bytes.toString("utf8")) as KeptStack);
    return kept && kept.key === key ? kept : undefined;
  } catch {
    // Whatever is wrong with it, the commit itself is there to be read.
    return undefined;
  }
}

async function keep(path: string, stack: KeptStack): Promise<void> {
  // A cache that cannot be written costs time only.
  await writeAtomic(path, JSON.stringify(stack), { mode: 0o600, sync: false }).catch(() => {});
}
