import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { storingUnder } from "../../platform/index.ts";
import { readStored, refsFile } from "./cache-place.ts";
import { folderBytes } from "./cache-size.ts";

/** One repository of the cache. */
export interface CachedRepo {
  gitDir: string;
  /** The URL it mirrors; its hash when nothing says so. */
  repo: string;
  bytes: number;
  /** When it was last fetched or used, in milliseconds since 1970. */
  usedAt: number;
}

/** Every repository of the cache, sorted by what it mirrors. */
export async function listCache(folder: string): Promise<CachedRepo[]> {
  const git = join(folder, "git");
  const groups = await namesIn(folder, git);
  const found = await Promise.all(
    groups.map(async (group) => {
      const names = (await namesIn(folder, join(git, group))).filter((name) => name.endsWith(".git"));
      return Promise.all(names.map((name) => describe(join(git, group, name))));
    }),
  );
  return found.flat().toSorted((a, b) => (a.repo < b.repo ? -1 : a.repo > b.repo ? 1 : 0));
}

async function describe(gitDir: string): Promise<CachedRepo> {
  const stored = (await readStored({ gitDir }).catch(() => null)) as { url?: string } | null;
  const hash = gitDir.replace(/^.*[/\\]|\.git$/g, "");
  return {
    gitDir,
    repo: stored?.url ?? hash,
    bytes: await folderBytes(gitDir),
    usedAt: Math.max(await modified(gitDir), await modified(join(gitDir, refsFile))),
  };
}

async function modified(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}

async function namesIn(cache: string, folder: string): Promise<string[]> {
  const list = async (): Promise<string[]> => {
    try {
      return (await readdir(folder)).toSorted();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  };
  return storingUnder(cache, list, "cache");
}
