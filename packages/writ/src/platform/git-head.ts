import { join } from "node:path";
import { commonDirOf, gitDirOf, maxPackedBytes, maxRefBytes } from "./git-folders.ts";
import { readOrNull } from "./read-file.ts";

/** What a repository has checked out, read from its files; no git is run, and what is unusual is left out. */
export async function readGitHead(folder: string): Promise<{ branch?: string; head?: string }> {
  try {
    const gitDir = await gitDirOf(folder);
    const head = (await readOrNull(join(gitDir, "HEAD"), maxRefBytes))?.toString("utf8").trim() ?? "";
    if (/^[0-9a-f]{40,64}$/.test(head)) return { head };
    const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
    if (ref === undefined) return {};
    const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
    const commit = await readRef(gitDir, ref);
    return { ...(branch !== undefined && { branch }), ...(commit !== undefined && { head: commit }) };
  } catch {
    return {};
  }
}

async function readRef(gitDir: string, ref: string): Promise<string | undefined> {
  const shared = await commonDirOf(gitDir);
  const loose = (await readOrNull(join(shared, ref), maxRefBytes))?.toString("utf8").trim();
  if (loose !== undefined && /^[0-9a-f]{40,64}$/.test(loose)) return loose;
  const packed = (await readOrNull(join(shared, "packed-refs"), maxPackedBytes))?.toString("utf8") ?? "";
  const line = packed.split("\n").find((one) => one.endsWith(` ${ref}`));
  return line?.split(" ")[0];
}
