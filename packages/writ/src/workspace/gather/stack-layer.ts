import { fail, type Warning } from "../../contract/index.ts";
import type { Git } from "../../platform/index.ts";
import type { Asset, Layer } from "../compose/assets.ts";
import type { ReadBlobs } from "../swap/drafts.ts";
import { sha256 } from "../swap/hashes.ts";
import { inspectAsset } from "../compose/inspect.ts";
import { checkLayerBounds } from "../compose/layer-bounds.ts";
import type { Answer } from "../sources/resolve.ts";
import { openSourceTree, type SourceFile, type SourceTree } from "../sources/source-tree.ts";

const assetFolders = ["rules", "skills", "workflows", "agents"] as const;
export const stackFile = "awac.yml";
const metadataFiles = ["README.md", stackFile, "deploy.yml", "devvault.yml"] as const;

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
}

/** Lists what a stack may contribute; `folder` is the part of the repository that counts as its root. */
export async function openStack(
  git: Git,
  { label, answer, folder }: { label: string; answer: Answer; folder?: string },
): Promise<OpenedStack> {
  const prefix = folder === undefined ? "" : `${folder}/`;
  const under = [...assetFolders, ...metadataFiles].map((name) => `${prefix}${name}`);
  const tree = await openSourceTree(git, { answer, under });
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
  return { label, answer, tree, files, skipped, held: new Map() };
}

function unread(label: string, path: string, { size, path: source }: SourceFile): Asset {
  return { path, mode: "100644", sha256: "", size, origin: { stack: label, source } };
}

function isOurs(path: string): boolean {
  return (
    metadataFiles.some((name) => name === path) || assetFolders.some((name) => path.startsWith(`${name}/`))
  );
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

/**
 * Reads every file of an opened stack with one process, keeping hashes and front matter. The bytes are let go, but
 * for the first `room.bytes` of a run: a second process to write them would cost more than to hold them.
 */
export async function readFiles(stack: OpenedStack, room: { bytes: number }): Promise<StackFiles> {
  const { files, tree, held } = stack;
  const pathOf = new Map([...files].map(([path, file]) => [file, path]));
  const read: StackFiles = { manifest: undefined, assets: [] };
  for await (const { file, bytes } of tree.read([...files.values()])) {
    const path = pathOf.get(file) ?? file.path;
    if (path === stackFile) read.manifest = bytes;
    read.assets.push(assetOf({ path, file, bytes }));
    if (bytes.length > room.bytes) continue;
    room.bytes -= bytes.length;
    held.set(file.oid ?? file.path, bytes);
  }
  return read;
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
  return layerOf(stack, await readFiles(stack, { bytes: 0 }), about);
}

function assetOf({ path, file, bytes }: { path: string; file: SourceFile; bytes: Buffer }): ReadAsset {
  return {
    path,
    mode: file.mode === "100755" ? "100755" : "100644",
    sha256: sha256(bytes),
    size: bytes.length,
    source: file,
    facts: path.includes("/") ? inspectAsset(path, bytes) : {},
  };
}

/** Reads bytes of opened stacks again, by git object or by path, when they are to be written. */
export function blobReader(stacks: readonly OpenedStack[]): ReadBlobs {
  const byLabel = new Map(stacks.map((stack) => [stack.label, stack]));
  return async function* (label, keys) {
    const stack = byLabel.get(label);
    if (!stack) throw new TypeError(`no stack ${label} was opened`);
    const byKey = new Map([...stack.files.values()].map((file) => [file.oid ?? file.path, file]));
    const apart: SourceFile[] = [];
    for (const file of keys.flatMap((key) => byKey.get(key) ?? [])) {
      const key = file.oid ?? file.path;
      const bytes = stack.held.get(key);
      if (bytes) yield { key, bytes };
      else apart.push(file);
    }
    for await (const { file, bytes } of stack.tree.read(apart)) yield { key: file.oid ?? file.path, bytes };
  };
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
