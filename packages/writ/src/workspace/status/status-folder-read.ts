import { dirname, resolve } from "node:path";
import { makeFolder, writeAtomic } from "../../platform/index.ts";
import { contentHash } from "../compose/layers.ts";
import { stackFile } from "../declare/file-names.ts";
import type { LockStack } from "../declare/model/lock.ts";
import { parseStackManifest } from "../declare/stack-manifest.ts";
import { openStack, readLayer, readStackFile } from "../gather/stack-layer.ts";
import { openLocal } from "../sources/local-source.ts";
import type { Sources } from "../sources/open-sources.ts";
import { factsOf, type StackFacts } from "./status-folder.ts";
import type { StackStatus } from "./status-stacks.ts";

/** Where a folder stands that is read as a run would read it. */
export async function readFolderStatus(
  root: string,
  { id, repo, content }: LockStack,
  sources: Sources,
): Promise<Pick<StackStatus, "upstream_known" | "in_sync">> {
  const url = resolve(root, repo.replace(/^path:/, ""));
  try {
    await openLocal(sources.git, { path: url, label: id });
    const opened = await openStack(sources.git, { label: id, answer: { label: id, url, from: "path" } });
    const bytes = await readStackFile(opened, stackFile);
    const { manifest } = parseStackManifest(bytes, { stack: id });
    if (bytes) await keepFacts(sources.cache.folder, bytes, manifest.product);
    const about = { repo, product: manifest.product, repoName: id, orgName: "local" };
    const layer = await readLayer(opened, about);
    return { upstream_known: "fetched", in_sync: contentHash(layer) === content };
  } catch {
    // It is gone or cannot be read; a run says so in full.
    return { upstream_known: "unknown", in_sync: false };
  }
}

/** Keeps what the next status needs of it; a cache that cannot be written costs time only. */
async function keepFacts(cache: string, manifest: Buffer, product: string | undefined): Promise<void> {
  const path = factsOf(cache, manifest);
  const facts: StackFacts = { ...(product !== undefined && { product }) };
  try {
    await makeFolder(dirname(path), 0o700);
    await writeAtomic(path, `${JSON.stringify(facts)}\n`, { mode: 0o600, sync: false });
  } catch {}
}
