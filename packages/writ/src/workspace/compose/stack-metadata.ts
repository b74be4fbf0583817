import { fail } from "../../contract/index.ts";
import { metadataFiles } from "../declare/file-names.ts";
import type { Asset, Layer } from "./assets.ts";

/** One mirrored file, as `data.stack_metadata[]` shows it. */
export interface StackMetadata {
  product: string;
  /** Path in the workspace. */
  file: string;
  sha256: string;
  source_repo: string;
  source_commit?: string;
}

/** The copies under `.stack/`, each stack with a product in a folder of its own. */
export function copyMetadata(layers: readonly Layer[]): {
  metadata: Asset[];
  stackMetadata: StackMetadata[];
} {
  const taken = new Set<string>();
  const metadata: Asset[] = [];
  const stackMetadata: StackMetadata[] = [];
  for (const layer of layers) {
    if (layer.product === undefined || layer.overlay) continue;
    const folder = folderOf(layer, layer.product, taken);
    for (const asset of layer.metadata.filter(({ path }) => metadataFiles.includes(path))) {
      const path = `.stack/${folder}/${asset.path}`;
      metadata.push({ ...asset, path });
      const { repo, commit } = asset.origin;
      stackMetadata.push({
        product: layer.product,
        file: path,
        sha256: asset.sha256,
        source_repo: repo ?? layer.stack,
        ...(commit !== undefined && { source_commit: commit }),
      });
    }
  }
  return { metadata, stackMetadata };
}

function folderOf({ stack, repoName, orgName }: Layer, product: string, taken: Set<string>): string {
  const names = [product, `${product}.${repoName}`, `${product}.${repoName}.${orgName}`];
  const free = names.find((name) => !taken.has(name.toLowerCase()));
  if (free === undefined) {
    throw fail("E_PATH_CONFLICT", {
      message: `The metadata of stack ${stack} has no folder of its own under .stack/.`,
      cause: `Earlier stacks already use ${names.join(", ")}.`,
      remediation: "Give one of the stacks another product in its awac.yml, or drop one from workspace.yml.",
      details: { stack, product, names },
    });
  }
  taken.add(free.toLowerCase());
  return free;
}
