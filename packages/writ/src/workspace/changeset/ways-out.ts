import { quote } from "../../platform/index.ts";
import type { Unmerged } from "./file-changeset.ts";

/** One conflict, as far as it matters for ending it. */
export interface Conflict {
  path: string;
  /** Absent where a merge by line would end it. */
  unmerged?: Unmerged | undefined;
}

/** Why no merge by line ends a conflict, in words. */
export const unmergedWords: Record<Unmerged, string> = {
  same_lines: "both sides changed the same lines",
  no_base: "the text composed before is not known",
  not_text: "it is not text",
  not_a_copy: "only files copied from a stack can be merged",
};

/** The commands that show a conflict and end it: a merge only where one can. */
export function waysOut(command: string, conflicts: readonly Conflict[]): string[] {
  const first = conflicts.find(({ unmerged }) => unmerged) ?? conflicts[0];
  if (!first) return [];
  const run = command === "writ sync" ? command : "writ bootstrap";
  const path = quote(first.path);
  return [
    `writ diff ${path} --patch`,
    ...(conflicts.some(({ unmerged }) => !unmerged) ? [`${run} --merge`] : []),
    `${run} --theirs ${path}`,
    `${run} --ours ${path}`,
  ];
}
