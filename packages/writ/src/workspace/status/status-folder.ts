import { resolve } from "node:path";
import { contentHash } from "../compose/layers.ts";
import type { LockStack } from "../declare/model/lock.ts";
import { parseStackManifest } from "../declare/stack-manifest.ts";
import { openStack, readLayer, readStackFile, stackFile } from "../gather/stack-layer.ts";
import { openLocal } from "../sources/local-source.ts";
import type { Sources } from "../sources/open-sources.ts";
import type { StackStatus } from "./status-stacks.ts";

/** A folder without git has no commit: the lock holds the hash of its content. */
export async function folderStatus(
  root: string,
  { id, repo, content }: LockStack,
  sources: Sources,
): Promise<Pick<StackStatus, "upstream_known" | "in_sync">> {
  const url = resolve(root, repo.replace(/^path:/, ""));
  try {
    await openLocal(sources.git, { path: url, label: id });
    const opened = await openStack(sources.git, { label: id, answer: { label: id, url, from: "path" } });
    const { manifest } = parseStackManifest(await readStackFile(opened, stackFile), { stack: id });
    const about = { repo, product: manifest.product, repoName: id, orgName: "local" };
    const layer = await readLayer(opened, about);
    return { upstream_known: "fetched", in_sync: contentHash(layer) === content };
  } catch {
    // It is gone or cannot be read; a run says so in full.
    return { upstream_known: "unknown", in_sync: false };
  }
}
