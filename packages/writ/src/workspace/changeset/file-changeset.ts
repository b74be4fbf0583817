import { fail } from "../../contract/index.ts";
import { unsafeLink } from "../../platform/index.ts";
import type { AppliedFile } from "../swap/applied.ts";
import type { Origin } from "../compose/assets.ts";
import { hashOf, type OnDisk } from "../swap/disk.ts";
import { equalButForLineEndings } from "../swap/hashes.ts";
import { settle, type Choices } from "./settle.ts";
import { decide, type State, type Step } from "../compose/threeway.ts";

/** Where the bytes of a composed file come from once they are needed. */
export type Content =
  | { kind: "bytes"; bytes: Buffer }
  /** `key`: the git object, or the path inside a folder without git. */
  | { kind: "blob"; stack: string; key: string }
  | { kind: "link"; target: string };

/** One path as it would be composed now. */
export interface Output {
  path: string;
  kind: AppliedFile["kind"];
  mode: "100644" | "100755" | "120000";
  sha256: string;
  content: Content;
  origin?: Origin;
  overlay?: true;
  /** A rule that steers every agent. */
  alwaysOn?: true;
}

/** What keeps two sides of a conflict from being merged line by line. */
export type Unmerged = "same_lines" | "no_base" | "not_text" | "not_a_copy";

/** One path with all that is known of it, and what a run will do. */
export interface PlannedFile {
  path: string;
  kind: AppliedFile["kind"] | "context";
  state: State;
  step: Step;
  reason?: "no_base" | "both_changed";
  base: string | null;
  local: string | null;
  next: string | null;
  found: OnDisk;
  output?: Output;
  recorded?: AppliedFile;
  settled?: "theirs" | "ours" | "merge";
  /** Why no merge by line can end the conflict. */
  unmerged?: Unmerged;
  /** The bytes to write where they are not those of the output: a merge, a context file. */
  bytes?: Buffer;
  /** The complete file as it was composed, when only a part of it is Writ's and the user has edited that. */
  unedited?: Buffer;
  /** The complete new file, when a conflict's is not the output's. */
  theirs?: Buffer;
}

export interface FileChangesetInput {
  outputs: ReadonlyMap<string, Output>;
  recorded: ReadonlyMap<string, AppliedFile>;
  found: ReadonlyMap<string, OnDisk>;
  choices: Choices;
}

/** Decides every path that Writ composes or has composed; a file is never judged by another. */
export function planFiles({ outputs, recorded, found, choices }: FileChangesetInput): PlannedFile[] {
  const paths = [...new Set([...outputs.keys(), ...recorded.keys()])].sort();
  return paths.map((path) => {
    const facts = { output: outputs.get(path), recorded: recorded.get(path) };
    return settle(planFile({ path, ...facts, found: found.get(path) ?? { kind: "absent" } }), choices);
  });
}

interface FileFacts {
  path: string;
  output: Output | undefined;
  recorded: AppliedFile | undefined;
  found: OnDisk;
}

function planFile({ path, output, recorded, found }: FileFacts): PlannedFile {
  if (output) refuseForeign(path, output, found);
  const base = recorded?.sha256 ?? null;
  const local = found.kind === "folder" || found.kind === "special" ? `${found.kind}` : hashOf(found);
  const next = output?.sha256 ?? null;
  const textEqual = isEqualText(found, base);
  const decision = decide({ base, local, next, ...(textEqual && { textEqual }) });
  const kind = output?.kind ?? recorded?.kind ?? "copy";
  return { path, kind, ...decisionOf(decision), base, local, next, found, output, recorded };
}

function decisionOf({
  state,
  action,
  reason,
}: ReturnType<typeof decide>): Pick<PlannedFile, "state" | "step" | "reason"> {
  return { state, step: action, ...(reason && { reason }) };
}

function isEqualText(found: OnDisk, base: string | null): boolean {
  if (found.kind !== "file" || !found.bytes || base === null || found.hash === base) return false;
  return equalButForLineEndings(found.bytes, base);
}

/** A folder or a link of somebody else where a file would be written is never replaced. */
function refuseForeign(path: string, output: Output, found: OnDisk): void {
  if (output.kind === "link") return;
  if (found.kind === "link") throw unsafeLink(path, "a symbolic link");
  if (found.kind === "special") throw unsafeLink(path, "a special file");
  if (found.kind === "folder") throw folderInTheWay(path, output.origin?.stack ?? output.kind);
}

/** The error for a folder of somebody else where a file would be composed. */
export function folderInTheWay(path: string, origin: string) {
  return fail("E_PATH_CONFLICT", {
    message: `A folder stands at ${path}, where a file would be composed.`,
    cause: `${origin} provides a file of that name.`,
    remediation: "Move the folder away, then: writ bootstrap",
    details: { path, origins: ["a folder of this workspace", origin] },
  });
}
