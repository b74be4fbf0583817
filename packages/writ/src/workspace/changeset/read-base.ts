import { catFileBatch } from "../../platform/index.ts";
import type { ReadBase } from "./conflict-files.ts";
import type { ReadStack } from "../gather/gather-stacks.ts";
import type { Gathering } from "../gather/gathering.ts";
import { sha256 } from "../swap/hashes.ts";

/** Reads what was composed last, from the cached repository it came from; the cache may have been deleted. */
export function baseReader({ sources }: Gathering, stacks: readonly ReadStack[]): ReadBase {
  const gitDirs = new Map(stacks.map(({ stack }) => [stack.label, stack.answer.gitDir]));
  return async ({ recorded }) => {
    const gitDir = recorded?.stack === undefined ? undefined : gitDirs.get(recorded.stack);
    if (!recorded?.blob || gitDir === undefined) return undefined;
    try {
      for await (const { bytes } of catFileBatch(sources.git, { gitDir, oids: [recorded.blob] })) {
        if (sha256(bytes) === recorded.sha256) return bytes;
      }
    } catch {
      // A base that is gone makes a conflict harder to settle, and is no failure of the run.
    }
    return undefined;
  };
}
