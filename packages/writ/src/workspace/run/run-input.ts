import { z } from "zod";
import { fail } from "../../contract/index.ts";
import { plainRequest, type RunRequest } from "../gather/request.ts";
import { flagsOf } from "./source-flags.ts";
import type { SourceInput } from "./source-input.ts";

const listOf = (what: string) => z.array(z.string().min(1).max(1000)).max(200).default([]).describe(what);

/** Flags of every command that writes under the run lock. */
export const waitInput = {
  wait: z.int().min(0).max(3600).default(30).describe("Seconds to wait for another run of this workspace."),
};

/** The ways out of a conflict, and what a run does about them. */
export const conflictInput = {
  strict: z.boolean().default(false).describe("Conflicts and hidden text are errors."),
  merge: z.boolean().default(false).describe("Merge line by line what both sides changed."),
  theirs: listOf("Take the new text of these paths, keeping yours as a backup; . means every conflict."),
  ours: listOf("Keep your text of these paths and call the conflict settled; . means every conflict."),
};

type Parsed<T extends z.ZodRawShape> = z.output<z.ZodObject<T>>;
export type ConflictInput = Parsed<typeof conflictInput>;

/** The part of a request that sync and bootstrap share. */
export function requestOf(
  input: SourceInput & ConflictInput & { wait: number },
  more: Partial<RunRequest>,
): RunRequest {
  const { strict, merge, theirs, ours, wait } = input;
  const both = theirs.find((path) => ours.includes(path));
  if (both !== undefined) throw conflicting(`--theirs ${both}`, `--ours ${both}`);
  return plainRequest({
    strict,
    choices: { merge, theirs: theirs.map(plainPath), ours: ours.map(plainPath) },
    flags: flagsOf(input),
    waitMs: wait * 1000,
    ...more,
  });
}

function plainPath(path: string): string {
  return path === "." || path === "./" ? "." : path.replace(/^\.\//, "");
}

/** The error for two flags that exclude each other. */
export function conflicting(first: string, second: string) {
  return fail("E_CONFLICTING_INPUT", {
    message: `${first} and ${second} exclude each other.`,
    cause: "Each of them asks for what the other forbids.",
    remediation: `Give one of the two: ${first}, or ${second}.`,
    details: { inputs: [first, second] },
  });
}
