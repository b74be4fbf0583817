import { dirname, join, resolve } from "node:path";
import { lstatOrNull } from "./links.ts";
import { readOrNull } from "./read-file.ts";

// HEAD, a ref and the file behind a linked work tree are one line each.
const maxRefBytes = 4096;
const maxPackedBytes = 64 * 1024 * 1024;
const maxConfigBytes = 1024 * 1024;

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

/** The URLs of a repository's remotes as its own configuration has them; no git is run. */
export async function readRemoteUrls(folder: string): Promise<string[]> {
  try {
    const config = join(await commonDirOf(await gitDirOf(folder)), "config");
    const text = (await readOrNull(config, maxConfigBytes))?.toString("utf8") ?? "";
    return [...text.matchAll(/^\s*url\s*=\s*(\S.*?)\s*$/gm)].map(([, url = ""]) => url);
  } catch {
    return [];
  }
}

async function commonDirOf(gitDir: string): Promise<string> {
  const common = (await readOrNull(join(gitDir, "commondir"), maxRefBytes))?.toString("utf8").trim();
  return common === undefined ? gitDir : resolve(gitDir, common);
}

async function gitDirOf(folder: string): Promise<string> {
  const dotGit = join(folder, ".git");
  if ((await lstatOrNull(dotGit))?.isDirectory()) return dotGit;
  const pointer = (await readOrNull(dotGit, maxRefBytes))?.toString("utf8") ?? "";
  const target = /^gitdir: (.+)$/m.exec(pointer)?.[1];
  return target === undefined ? dotGit : resolve(dirname(dotGit), target);
}

async function readRef(gitDir: string, ref: string): Promise<string | undefined> {
  const shared = await commonDirOf(gitDir);
  const loose = (await readOrNull(join(shared, ref), maxRefBytes))?.toString("utf8").trim();
  if (loose !== undefined && /^[0-9a-f]{40,64}$/.test(loose)) return loose;
  const packed = (await readOrNull(join(shared, "packed-refs"), maxPackedBytes))?.toString("utf8") ?? "";
  const line = packed.split("\n").find((one) => one.endsWith(` ${ref}`));
  return line?.split(" ")[0];
}
