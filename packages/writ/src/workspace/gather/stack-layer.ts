import { fail, type Warning } from "../../contract/index.ts";
import type { Git } from "../../platform/index.ts";
import type { Asset, Layer } from "../compose/assets.ts";
import { assetFolders, metadataFiles, stackFile } from "../declare/file-names.ts";
import { sha256 } from "../swap/hashes.ts";
import { inspectAsset } from "../compose/inspect.ts";
import { checkLayerBounds } from "../compose/layer-bounds.ts";
import type { Answer } from "../sources/resolve.ts";
import type { Cache } from "../sources/cache.ts";
import {
  modeOf,
  openSourceTree,
  openSourceTrees,
  readTogether,
  type SourceFile,
  type SourceTree,
} from "../sources/source-tree.ts";

/** Something of a stack that is never composed. */
export interface Skipped {
  path: string;
  reason: "link" | "submodule";
}

/** A stack's files, before it is known what its manifest says. */
export interface OpenedStack {
  label: string;
  answer: Answer;
  tree: SourceTree;
  /** Path inside the stack -> file, without what is skipped. */
  files: Map<string, SourceFile>;
  skipped: Skipped[];
  /** Bytes that were read and are at hand until they are written, by git object or path; bounded in all. */
  held: Map<string, Buffer>;
  /** The SHA-256 of what was read, by git object or path. */
  hashes: Map<string, string>;
}

const contributing = [...assetFolders, ...metadataFiles];

/** Lists what a stack may contribute; `folder` is the part of the repository that counts as its root. */
export async function openStack(
  git: Git,
  { label, answer, folder }: { label: string; answer: Answer; folder?: string },
): Promise<OpenedStack> {
  const prefix = folder === undefined ? "" : `${folder}/`;
  const under = contributing.map((name) => `${prefix}${name}`);
  return openedOf(await openSourceTree(git, { answer, under }), { label, answer, prefix });
}

/** The same of many stacks, of those in the cache with two processes for all. */
export async function openStacks(
  cache: Pick<Cache, "git" | "folder">,
  stacks: readonly { label: string; answer: Answer }[],
): Promise<OpenedStack[]> {
  const answers = stacks.map(({ answer }) => answer);
  const trees = await openSourceTrees(cache, { answers, under: contributing });
  return stacks.map((stack, at) => openedOf(trees[at] as SourceTree, { ...stack, prefix: "" }));
}

function openedOf(
  tree: SourceTree,
  { label, answer, prefix }: { label: string; answer: Answer; prefix: string },
): OpenedStack {
  const files = new Map<string, SourceFile>();
  const skipped: Skipped[] = [];
  for (const file of tree.files) {
    const path = file.path.slice(prefix.length);
    if (!file.path.startsWith(prefix) || !isOurs(path)) continue;
    if (!file.utf8) throw notText(label, file.path);
    if (file.mode === "120000") skipped.push({ path: `${label}:${file.path}`, reason: "link" });
    else if (file.mode === "160000") skipped.push({ path: `${label}:${file.path}`, reason: "submodule" });
    else files.set(path, file);
  }
  // Looked at before a byte is read, so that a huge file costs nothing.
  checkLayerBounds(
    label,
    [...files].map(([path, file]) => unread(label, path, file)),
  );
  return { label, answer, tree, files, skipped, held: new Map(), hashes: new Map() };
}

function unread(label: string, path: string, { size, path: source }: SourceFile): Asset {
  return { path, mode: "100644", sha256: "", size, origin: { stack: label, source } };
}

function isOurs(path: string): boolean {
  return metadataFiles.includes(path) || assetFolders.some((name) => path.startsWith(`${name}/`));
}

/** The bytes of one file of an opened stack, or undefined when it has none. */
export async function readStackFile(stack: OpenedStack, path: string): Promise<Buffer | undefined> {
  const file = stack.files.get(path);
  if (!file) return undefined;
  for await (const { bytes } of stack.tree.read([file])) return bytes;
  return undefined;
}

/** The files of a stack, looked at once. */
export interface StackFiles {
  manifest: Buffer | undefined;
  assets: ReadAsset[];
}

type ReadAsset = Omit<Asset, "origin"> & { source: SourceFile };

/** Reads every file of an opened stack, keeping hashes and front matter. */
async function readFiles(stack: OpenedStack): Promise<StackFiles> {
  const { read, take } = reading(stack, { bytes: 0 });
  for await (const { file, bytes } of stack.tree.read([...stack.files.values()])) take(file, bytes);
  return read;
}

/**
 * The same of many stacks, with one process for all that are cached. The bytes are let go, but for the first
 * `room.bytes` of a run: a second process to write them would cost more than to hold them.
 */
export async function readAllFiles(
  cache: Pick<Cache, "git" | "folder">,
  stacks: readonly OpenedStack[],
  room: { bytes: number },
): Promise<StackFiles[]> {
  const all = stacks.map((stack) => reading(stack, room));
  const wanted = stacks.map(({ tree, files }) => ({ tree, files: [...files.values()] }));
  for await (const { at, file, bytes } of readTogether(cache, wanted)) all[at]?.take(file, bytes);
  return all.map(({ read }) => read);
}

function reading({ files, held, hashes }: OpenedStack, room: { bytes: number }) {
  const pathOf = new Map([...files].map(([path, file]) => [file, path]));
  const read: StackFiles = { manifest: undefined, assets: [] };
  const take = (file: SourceFile, bytes: Buffer): void => {
    const path = pathOf.get(file) ?? file.path;
    if (path === stackFile) read.manifest = bytes;
    const key = file.oid ?? file.path;
    const hash = sha256(bytes);
    hashes.set(key, hash);
    const facts = path.includes("/") ? inspectAsset(path, bytes) : {};
    read.assets.push({ path, mode: modeOf(file), sha256: hash, size: bytes.length, source: file, facts });
    if (bytes.length > room.bytes) return;
    room.bytes -= bytes.length;
    held.set(key, bytes);
  };
  return { read, take };
}

/** What the files of a stack are called in a layer. */
export interface LayerNames {
  repo: string;
  product?: string;
  repoName: string;
  orgName: string;
  overlay?: true;
}

/** The layer that the files of a stack make. */
export function layerOf({ label, answer }: OpenedStack, read: StackFiles, about: LayerNames): Layer {
  const origin = {
    stack: label,
    repo: about.repo,
    ...(answer.ref !== undefined && { ref: answer.ref }),
    ...(answer.commit !== undefined && { commit: answer.commit }),
  };
  const layer: Layer = { stack: label, ...about, assets: [], metadata: [] };
  for (const { source, ...asset } of read.assets) {
    const { path, oid } = source;
    const whole = { ...asset, origin: { ...origin, source: path, ...(oid !== undefined && { oid }) } };
    if (asset.path.includes("/")) layer.assets.push(whole);
    else layer.metadata.push(whole);
  }
  return layer;
}

/** Reads an opened stack as a layer. */
export async function readLayer(stack: OpenedStack, about: LayerNames): Promise<Layer> {
  return layerOf(stack, await readFiles(stack), about);
}

/** One warning for all that was skipped. */
export function skippedWarnings(skipped: readonly Skipped[]): Warning[] {
  if (skipped.length === 0) return [];
  const shown = skipped.slice(0, 5).map(({ path }) => path);
  return [
    {
      code: "W_STACK_LINK",
      message: `Links and submodules of stacks are never composed; skipped: ${shown.join(", ")}${skipped.length > 5 ? ", …" : ""}.`,
      remediation: "Put a copy of the file in the stack in place of the link.",
    },
  ];
}

function notText(label: string, path: string) {
  return fail("E_UNSAFE_PATH", {
    message: `The stack ${label} has a file whose name is not valid text.`,
    cause: `Its bytes are no UTF-8: ${JSON.stringify(path)}.`,
    remediation: "Rename the file in the stack, or pin an earlier commit of it.",
    details: { stack: label, path, reason: "encoding" },
  });
}
