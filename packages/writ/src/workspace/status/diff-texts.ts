import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeFolder } from "../../platform/index.ts";
import type { Git } from "../../platform/index.ts";

/** One file before and after; undefined where it does not exist. */
export interface Sides {
  path: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
}

/** How many lines come and go, and the patch where it was asked for. */
export interface TextDiff {
  added: number;
  removed: number;
  patch?: string;
}

// A longer patch is no longer read by anybody; the counts still say how much it is.
const maxPatchBytes = 256 * 1024;

/** Compares many files with two runs of git at most, whatever their number. */
export async function diffTexts(
  git: Git,
  sides: AsyncIterable<Sides>,
  withPatch: boolean,
): Promise<Map<string, TextDiff>> {
  const folder = await mkdtemp(join(tmpdir(), "writ-diff-"));
  try {
    await Promise.all(["a", "b"].map((side) => mkdir(join(folder, side))));
    for await (const { path, before, after } of sides) {
      if (before) await put(join(folder, "a", path), before);
      if (after) await put(join(folder, "b", path), after);
    }
    // A difference is exit code 1, and no failure.
    const compare = async (...how: string[]) => {
      const args = ["diff", "--no-index", "--no-renames", "--no-color", ...how, "--", "a", "b"];
      return (await git.run(args, { cwd: folder })).stdout;
    };
    const diffs = parseNumstat((await compare("--numstat", "-z")).toString("utf8"));
    if (withPatch) addPatches(diffs, (await compare("--no-prefix")).toString("utf8"));
    return diffs;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function put(path: string, bytes: Buffer): Promise<void> {
  await makeFolder(dirname(path));
  await writeFile(path, bytes);
}

/** Reads `--numstat -z` of two folders: counts, then both paths as fields of their own; pure. */
function parseNumstat(text: string): Map<string, TextDiff> {
  const diffs = new Map<string, TextDiff>();
  const fields = text.split("\0");
  for (let at = 0; at < fields.length; at++) {
    const [added, removed, path] = fields[at]?.split("\t") ?? [];
    if (added === undefined || removed === undefined) continue;
    const names = path ? [path] : [fields[at + 1] ?? "", fields[at + 2] ?? ""];
    if (!path) at += 2;
    const named = names.find((name) => name !== "/dev/null") ?? "";
    // Of binary files git counts no lines.
    diffs.set(named.replace(/^[ab]\//, ""), { added: Number(added) || 0, removed: Number(removed) || 0 });
  }
  return diffs;
}

function addPatches(diffs: Map<string, TextDiff>, text: string): void {
  const parts = text.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
  const paths = [...diffs.keys()];
  for (const part of parts) {
    const path = paths.find((one) => part.startsWith(`diff --git a/${one} b/${one}\n`));
    const diff = path === undefined ? undefined : diffs.get(path);
    if (diff) diff.patch = part.length > maxPatchBytes ? `${part.slice(0, maxPatchBytes)}\n` : part;
  }
}
