import { resolve } from "node:path";
import { STACK_REPOSITORY_BYTES } from "../sources/cache.ts";
import { distance } from "../sources/cache-read.ts";
import { openLocal } from "../sources/local-source.ts";
import type { LockStack } from "../declare/model/lock.ts";
import type { Sources } from "../sources/open-sources.ts";
import { chooseRef } from "../sources/ref-choice.ts";
import type { RemoteRefs } from "../sources/remote-refs.ts";
import { parseRepoText, urlOf } from "../declare/sources.ts";
import { folderStatus } from "./status-folder.ts";

/** One stack, as status shows it. */
export interface StackStatus {
  label: string;
  repo: string;
  ref: string | null;
  lockfile_commit: string | null;
  upstream_commit?: string;
  upstream_known: "fetched" | "cached" | "unknown";
  behind?: number;
  ahead?: number;
  in_sync: boolean;
}

/** Where each locked stack stands against the refs that the cache saw last or, with `fetch`, has now. */
export async function stackStatus(
  root: string,
  stack: LockStack,
  { sources, fetch }: { sources: Sources; fetch: boolean },
): Promise<StackStatus> {
  const told = {
    label: stack.id,
    repo: stack.repo,
    ref: stack.ref ?? null,
    lockfile_commit: stack.commit ?? null,
  };
  if (stack.commit === undefined) {
    return { ...told, ...(await folderStatus(root, stack, sources)) };
  }
  const upstream = await upstreamOf(root, stack, { sources, fetch });
  // What nobody knows is not known to differ; `upstream_known` says so.
  if (!upstream) return { ...told, upstream_known: "unknown", in_sync: true };
  const apart = await distance(sources.git, {
    gitDir: upstream.gitDir,
    from: stack.commit,
    to: upstream.commit,
  }).catch(() => undefined);
  return {
    ...told,
    upstream_commit: upstream.commit,
    upstream_known: fetch ? "fetched" : "cached",
    ...(apart && { behind: apart.behind, ahead: apart.ahead }),
    in_sync: upstream.commit === stack.commit,
  };
}

async function upstreamOf(
  root: string,
  { repo, want, id }: LockStack,
  { sources, fetch }: { sources: Sources; fetch: boolean },
): Promise<{ commit: string; gitDir: string } | undefined> {
  const source = parseRepoText(repo).value;
  if (!source) return undefined;
  const url = urlOf(source, sources.base);
  if (source.kind === "path") {
    const local = await openLocal(sources.git, { path: resolve(root, url), label: id }).catch(
      () => undefined,
    );
    if (!local?.gitDir || !local.head) return undefined;
    const commit = want === "default" ? local.head.commit : chosen(want, local.refs);
    return commit === undefined ? undefined : { commit, gitDir: local.gitDir };
  }
  const refs = fetch
    ? await sources.cache.fetch({ url, label: id }, { maxBytes: STACK_REPOSITORY_BYTES })
    : await sources.cache.refs(url);
  const commit = chosen(want, refs ?? undefined);
  return commit === undefined ? undefined : { commit, gitDir: sources.cache.gitDir(url) };
}

function chosen(want: LockStack["want"], refs: RemoteRefs | undefined): string | undefined {
  if (!refs) return undefined;
  try {
    return chooseRef(want, refs, "").commit;
  } catch {
    // A branch that is gone upstream: there is nothing to be behind of.
    return undefined;
  }
}
