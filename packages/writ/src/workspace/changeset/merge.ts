import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Git, inParallel } from "../../platform/index.ts";
import type { ReadBase } from "./conflict-files.ts";
import type { ReadBlobs } from "../swap/drafts.ts";
import type { PlannedFile, Unmerged } from "./file-changeset.ts";
import { isText, sha256 } from "../swap/hashes.ts";
import { choiceFor, type Choices } from "./settle.ts";

interface Mergers {
  git: Git;
  choices: Choices;
  readBase: ReadBase;
  readBlobs: ReadBlobs;
}

// A process each; conflicts are few.
const mergesAtOnce = 8;

/**
 * Merges line by line what both sides changed, where that was asked for; every conflict that stays says what
 * keeps it from being merged, so that nobody is sent to a merge in vain.
 */
export async function mergeConflicts(
  files: readonly PlannedFile[],
  mergers: Mergers,
): Promise<PlannedFile[]> {
  return inParallel(files, mergesAtOnce, async (file) =>
    file.state === "conflict" ? mergeOne(file, mergers) : file,
  );
}

async function mergeOne(file: PlannedFile, mergers: Mergers): Promise<PlannedFile> {
  const merged = await tryMerge(file, mergers);
  if (typeof merged === "string") return { ...file, unmerged: merged };
  if (choiceFor(mergers.choices, file.path) !== "merge") return file;
  // Equal to what the stack has: the local change came back with it.
  if (sha256(merged) === file.output?.sha256)
    return { ...file, state: "outdated", step: "update", settled: "merge" };
  return { ...file, state: "edited", step: "update", settled: "merge", bytes: merged };
}

async function tryMerge(
  file: PlannedFile,
  { git, readBase, readBlobs }: Mergers,
): Promise<Buffer | Unmerged> {
  const { kind, reason, found, output } = file;
  if (kind !== "copy" || found.kind !== "file" || output?.content.kind !== "blob") return "not_a_copy";
  const base = reason === "both_changed" ? await readBase(file) : undefined;
  if (!base) return "no_base";
  const local = found.bytes;
  let next: Buffer | undefined;
  for await (const { bytes } of readBlobs(output.content.stack, [output.content.key])) next = bytes;
  if (!local || !next || ![base, local, next].every(isText)) return "not_text";
  return (await mergeLines(git, { base, local, next })) ?? "same_lines";
}

/** `git merge-file`; undefined when the same lines were changed on both sides. */
async function mergeLines(
  git: Git,
  { base, local, next }: { base: Buffer; local: Buffer; next: Buffer },
): Promise<Buffer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "writ-merge-"));
  try {
    const names = ["local", "base", "next"].map((name) => join(folder, name));
    await Promise.all([local, base, next].map((bytes, at) => writeFile(names[at] ?? "", bytes)));
    const result = await git.run(["merge-file", "-p", "-q", ...names], { cwd: folder });
    return result.code === 0 ? result.stdout : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
