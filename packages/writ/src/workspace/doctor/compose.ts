import { theirsPath } from "../changeset/conflict-files.ts";
import { waysOut } from "../changeset/ways-out.ts";
import { type DriftKind, findDrift } from "../status/drift.ts";
import type { Observed } from "../run/observe-changeset.ts";
import { counted, quote } from "../../platform/index.ts";
import type { State } from "../compose/threeway.ts";
import { type CheckRow, type Finding, failed, listed, ok, warn } from "./check.ts";
import { restoreMissing } from "./restore-files.ts";
import { type Room, withObserved } from "./room.ts";

/** Composed files, against what was composed and what would be. */
export const composeChecks: readonly CheckRow[] = [
  { id: "compose.drift", worst: "warn", workspace: true, look: lookAtDrift, fix: restoreMissing },
  { id: "compose.conflicts", worst: "warn", workspace: true, look: lookAtConflicts },
  { id: "compose.metadata", worst: "fail", workspace: true, look: lookAtMetadata },
];

interface FileState {
  path: string;
  state: State;
}

/** The state of every composed file: from the changeset, else from the last composition and the disk. */
async function statesOf({ changeset, inputs, root }: Observed): Promise<FileState[]> {
  // The block in .gitignore has a check of its own.
  if (changeset) return changeset.files.filter(({ kind }) => kind !== "block");
  const drift = await findDrift(root, inputs.applied, inputs.lockHash);
  const drifting = new Map(drift.map(({ path, kind }) => [path, stateOfDrift[kind]]));
  const paths = [...(inputs.applied.applied?.files ?? []), ...(inputs.applied.applied?.regions ?? [])].map(
    ({ path }) => path,
  );
  return [...new Set([...paths, ...drifting.keys()])].flatMap((path) => {
    const state = drifting.has(path) ? drifting.get(path) : "clean";
    return state === undefined ? [] : [{ path, state }];
  });
}

/** What is no fault, and what another check tells, has no state here. */
const stateOfDrift: Partial<Record<DriftKind, State>> = {
  edited: "edited",
  metadata_edited: "edited",
  generated_edited: "edited",
  missing: "missing",
  conflict: "conflict",
  orphan_edited: "orphan_edited",
};

const isMetadata = ({ path }: FileState): boolean => path.startsWith(".stack/");

async function lookAtDrift(room: Room): Promise<Finding> {
  return withObserved(room, async (seen) => {
    const states = await statesOf(seen);
    const inState = (...wanted: State[]) =>
      states.filter(({ state }) => wanted.includes(state)).map(({ path }) => path);
    const missing = inState("missing");
    const groups: [string, string[]][] = [
      ["missing", missing],
      ["edited", inState("edited")],
      ["edited, and no longer provided", inState("orphan_edited")],
      ["not composed yet", inState("new", "outdated", "stale", "adopted", "converged")],
    ];
    const told = groups
      .filter(([, paths]) => paths.length > 0)
      .map(([word, paths]) => `${word}: ${listed(paths)}`);
    if (told.length === 0) return ok(`${counted(states.length, "file")} as composed`);
    const edited = states.some(({ state }) => state === "edited" || state === "orphan_edited");
    const fixable = missing.length > 0 && seen.changeset !== undefined;
    return warn(told.join("; "), {
      remediation: fixable ? "writ doctor fix" : edited ? "writ diff --local --patch" : "writ bootstrap",
      fixable,
    });
  });
}

async function lookAtConflicts(room: Room): Promise<Finding> {
  return withObserved(room, async (seen) => {
    const conflicts = seen.changeset
      ? seen.changeset.files.filter(({ state }) => state === "conflict")
      : (seen.inputs.applied.applied?.conflicts ?? []).filter(({ reason }) => reason !== "orphan_edited");
    const paths = conflicts.map(({ path }) => path);
    const [first] = paths;
    if (first === undefined) return ok("none");
    return warn(
      `changed both here and in the stack: ${listed(paths)} (the other side: ${theirsPath(first)})`,
      {
        remediation: waysOut("writ bootstrap", conflicts).join(", "),
      },
    );
  });
}

async function lookAtMetadata(room: Room): Promise<Finding> {
  return withObserved(room, async (seen) => {
    const copies = (await statesOf(seen)).filter(isMetadata);
    const wrong = copies.filter(({ state }) =>
      ["edited", "missing", "conflict", "orphan_edited"].includes(state),
    );
    if (wrong.length === 0)
      return ok(
        copies.length === 0
          ? "no stack has metadata"
          : `${counted(copies.length, "copy", "copies")} equal to the stacks' own`,
      );
    const name = quote(wrong[0]?.path ?? "");
    const missing = wrong.every(({ state }) => state === "missing");
    return failed(
      `not what the stack has: ${listed(wrong.map(({ path, state }) => `${path} (${state.replaceAll("_", " ")})`))}`,
      {
        remediation: missing
          ? "writ bootstrap"
          : `Look at it, or take the stack's text: writ diff ${name} --local --patch, writ bootstrap --theirs ${name}`,
      },
    );
  });
}
