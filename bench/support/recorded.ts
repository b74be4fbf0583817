import { join } from "node:path";
import { makeRecordingGit } from "../../test/fixtures/recording-git.ts";
import type { Bed } from "./stacks.ts";
import { type Place, writ } from "./writ.ts";

/** How many times a bootstrap runs git; not timed, since counting costs. */
export function countGit(bed: Bed, { cwd, env }: Place): number {
  const recording = makeRecordingGit(join(bed.folder, "recording"));
  writ(["bootstrap"], { cwd, env: { ...env, PATH: recording.path } });
  return recording.calls().length;
}
