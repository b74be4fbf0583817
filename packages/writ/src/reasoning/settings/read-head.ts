import { dirname, join, resolve } from "node:path";
import { lstatOrNull, readOrNull } from "../../platform/index.ts";

const lineBytes = 4096;
const packedBytes = 64 * 1024 * 1024;
const commit = /^[0-9a-f]{40,64}$/;

/** The commit a checkout has out, read from git's files; undefined outside git, and where it is unusual. */
export async function readHeadCommit(root: string): Promise<string | undefined> {
  try {
    const gitDir = await gitDirOf(root);
    const head = await lineOf(join(gitDir, "HEAD"));
    if (head === undefined || commit.test(head)) return head;
    const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
    if (ref === undefined) return undefined;
    const common = await lineOf(join(gitDir, "commondir"));
    const shared = common === undefined ? gitDir : resolve(gitDir, common);
    const loose = await lineOf(join(shared, ref));
    if (loose !== undefined) return commit.test(loose) ? loose : undefined;
    const packed = (await readOrNull(join(shared, "packed-refs"), packedBytes))?.toString("utf8") ?? "";
    return packed
      .split("\n")
      .find((line) => line.endsWith(` ${ref}`))
      ?.split(" ")[0];
  } catch {
    return undefined;
  }
}

async function lineOf(path: string): Promise<string | undefined> {
  return (await readOrNull(path, lineBytes))?.toString("utf8").trim();
}

async function gitDirOf(root: string): Promise<string> {
  const dotGit = join(root, ".git");
  if ((await lstatOrNull(dotGit))?.isDirectory()) return dotGit;
  const target = /^gitdir: (.+)$/m.exec((await lineOf(dotGit)) ?? "")?.[1];
  return target === undefined ? dotGit : resolve(dirname(dotGit), target);
}
