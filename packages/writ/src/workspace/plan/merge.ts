import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Git } from "../../platform/index.ts";
import type { ReadBase } from "./conflict-files.ts";
import type { ReadBlobs } from "../swap/drafts.ts";
import type { PlannedFile } from "./file-plan.ts";
import { isText, sha256 } from "../swap/hashes.ts";
import { choiceFor, type Choices } from "./settle.ts";

interface Mergers {
  git: Git;
  choices: Choices;
  readBase: ReadBase;
  readBlobs: ReadBlobs;
}

/** Merges line by line what both sides changed, where that was asked for; what does not merge stays a conflict. */
export async function mergeConflicts(
  files: readonly PlannedFile[],
  mergers: Mergers,
): Promise<PlannedFile[]> {
  return Promise.all(files.map((file) => mergeOne(file, mergers)));
}

async function mergeOne(file: PlannedFile, mergers: Mergers): Promise<PlannedFile> {
  const { path, state, kind, reason, found, output } = file;
  const asked =
    choiceFor(mergers.choices, path) === "merge" && state === "conflict" && reason === "both_changed";
  if (!asked || kind !== "copy" || found.kind !== "file" || output?.content.kind !== "blob") return file;
  const base = await mergers.readBase(file);
  const local = found.bytes;
  let next: Buffer | undefined;
  for await (const { bytes } of mergers.readBlobs(output.content.stack, [output.content.key])) next = bytes;
  if (!base || !local || !next || ![base, local, next].every(isText)) return file;
  const merged = await mergeLines(mergers.git, { base, local, next });
  if (!merged) return file;
  // Equal to what the stack has: the local change came back with it.
  if (sha256(merged) === output.sha256)
    return { ...file, state: "outdated", step: "update", settled: "merge" };
  return { ...file, state: "edited", step: "update", settled: "merge", bytes: merged };
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
