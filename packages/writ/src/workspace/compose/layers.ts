import { createHash } from "node:crypto";
import type { Warning } from "../../contract/index.ts";
import { compareBytes, type Asset, type Layer } from "./assets.ts";
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

/** The assets of a layer that are composed, sorted; `.gitkeep` and `.DS_Store` are nobody's content. */
function composed(layer: Layer): Asset[] {
  return layer.assets
    .filter(
      ({ path }) =>
        /^(?:rules|skills|workflows|agents)\//.test(path) && !/(?:^|\/)(?:\.gitkeep|\.DS_Store)$/.test(path),
    )
    .toSorted((a, b) => compareBytes(a.path, b.path));
}

/** The lock's `content` of a stack: all its assets, and the metadata that is mirrored when it has a product. */
export function contentHash(layer: Layer): string {
  const mirrored = layer.product === undefined ? [] : layer.metadata;
  const hash = createHash("sha256");
  for (const { mode, sha256, path } of [...composed(layer), ...mirrored].toSorted((a, b) =>
    compareBytes(a.path, b.path),
  )) {
    hash.update(`${mode} ${sha256} ${path}\n`);
  }
  return `sha256:${hash.digest("hex")}`;
}
