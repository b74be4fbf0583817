import type { Warning } from "../../contract/index.ts";
import { compareBytes, type Asset, type Layer } from "./assets.ts";
import { hashOfContent, isComposed } from "./content-hash.ts";
import { copyMetadata, type StackMetadata } from "./stack-metadata.ts";
import { createTree } from "./path-tree.ts";
import { layerWarnings } from "./layer-warnings.ts";
import { checkLayerBounds, checkTotal } from "./layer-bounds.ts";

/** One override: who won a path, and whose file it hides. */
export interface Collision {
  file: string;
  winner: string;
  /** Highest first. */
  losers: string[];
}

/** What the layers make together; everything is sorted bytewise by path. */
export interface Composition {
  /** Every composed file by its path in the workspace. */
  files: Map<string, Asset>;
  /** The same as it would be had the overlay not been declared: all that is derived comes from these. */
  shared: Map<string, Asset>;
  /** What the overlay holds. */
  overlay: Map<string, Asset>;
  /** For an overridden path the hidden assets, highest first. */
  losers: Map<string, Asset[]>;
  collisions: Collision[];
  /** Copies under `.stack/`. */
  metadata: Asset[];
  stackMetadata: StackMetadata[];
  warnings: Warning[];
}

/**
 * Composes layers, lowest first: for equal paths the later layer wins, whole file. The result depends on the
 * layers in their order and on nothing else. Refuses unsafe and conflicting paths and too much content.
 */
export function composeLayers(layers: readonly Layer[], { agents }: { agents: boolean }): Composition {
  checkTotal("stacks", layers.filter((layer) => !layer.overlay).length);
  const { files, losers } = stack(layers, agents);
  checkTotal("composed files", files.size);
  const hasOverlay = layers.some((layer) => layer.overlay);
  const shared = hasOverlay
    ? stack(
        layers.filter((layer) => !layer.overlay),
        agents,
      ).files
    : files;
  const overlay = stack(
    layers.filter((layer) => layer.overlay),
    agents,
  ).files;
  const collisions = [...losers].map(([file, hidden]) => ({
    file,
    winner: files.get(file)?.origin.stack ?? "",
    losers: hidden.map((asset) => asset.origin.stack),
  }));
  const { metadata, stackMetadata } = copyMetadata(layers);
  return {
    files,
    shared,
    overlay,
    losers,
    collisions,
    metadata,
    stackMetadata,
    warnings: layerWarnings(files),
  };
}

function stack(layers: readonly Layer[], agents: boolean) {
  const out = new Map<string, Asset>();
  const losers = new Map<string, Asset[]>();
  const tree = createTree();
  for (const layer of layers) {
    const assets = composed(layer).filter((asset) => agents || !asset.path.startsWith("agents/"));
    checkLayerBounds(layer.stack, [...assets, ...layer.metadata]);
    for (const asset of assets) {
      const path = `.agents/${asset.path}`;
      const placed = { ...asset, path };
      tree.place(placed, asset.path);
      const hidden = out.get(path);
      if (hidden) losers.set(path, [hidden, ...(losers.get(path) ?? [])]);
      out.set(path, placed);
    }
  }
  return { files: sortedByPath(out), losers: sortedByPath(losers) };
}

function sortedByPath<T>(map: Map<string, T>): Map<string, T> {
  return new Map([...map].toSorted(([a], [b]) => compareBytes(a, b)));
}

/** The assets of a layer that are composed, sorted. */
function composed(layer: Layer): Asset[] {
  return layer.assets
    .filter(({ path }) => isComposed(path))
    .toSorted((one, other) => compareBytes(one.path, other.path));
}

/** The lock's `content` of a stack: all its assets, and the metadata that is mirrored when it has a product. */
export function contentHash(layer: Layer): string {
  const mirrored = layer.product === undefined ? [] : layer.metadata;
  return hashOfContent([...composed(layer), ...mirrored]);
}
