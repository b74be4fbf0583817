import type { PlannedFile } from "./file-changeset.ts";

/** How the caller ends conflicts: paths, where "." means every conflict. */
export interface Choices {
  merge: boolean;
  theirs: readonly string[];
  ours: readonly string[];
}

export type Choice = "theirs" | "ours" | "merge";

/** What was chosen for a path: one that is named wins over ".", and a side over a merge. */
export function choiceFor({ merge, theirs, ours }: Choices, path: string): Choice | undefined {
  if (theirs.includes(path)) return "theirs";
  if (ours.includes(path)) return "ours";
  if (theirs.includes(".")) return "theirs";
  if (ours.includes(".")) return "ours";
  return merge ? "merge" : undefined;
}

/** True when the caller asked for anything: then no run is short. */
export function choosesAnything({ merge, theirs, ours }: Choices): boolean {
  return merge || theirs.length > 0 || ours.length > 0;
}

/** A file's decision with the caller's choice applied; to what is no conflict a choice means nothing. */
export function settle(file: PlannedFile, choices: Choices): PlannedFile {
  const choice = choiceFor(choices, file.path);
  if (choice === "theirs") {
    // An edit that conflicts with nothing is dropped only where its file is named.
    const asked =
      file.state === "conflict" || (file.state === "edited" && choices.theirs.includes(file.path));
    return asked ? { ...file, state: "outdated", step: "update", settled: "theirs" } : file;
  }
  if (choice === "ours" && file.state === "conflict")
    return { ...file, state: "edited", step: "record", settled: "ours" };
  return file;
}
