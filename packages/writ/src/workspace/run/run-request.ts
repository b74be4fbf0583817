import { type Context, fail } from "../../contract/index.ts";
import { pathFromRoot } from "../../platform/index.ts";
import { plainRequest, type RunRequest } from "../gather/request.ts";
import type { ConflictInput } from "./run-input.ts";
import { flagsOf } from "./source-flags.ts";
import type { SourceInput } from "./source-input.ts";

/** The part of a request that sync and bootstrap share. */
export function requestOf(
  ctx: Context,
  input: SourceInput & ConflictInput & { wait: number },
  more: Partial<RunRequest>,
): RunRequest {
  const { strict, merge, theirs, ours, wait } = input;
  const both = theirs.find((path) => ours.includes(path));
  if (both !== undefined) throw conflicting(`--theirs ${both}`, `--ours ${both}`);
  const pathOf = (path: string) => plainPath(ctx, path);
  return plainRequest({
    strict,
    choices: { merge, theirs: theirs.map(pathOf), ours: ours.map(pathOf) },
    flags: flagsOf(input),
    waitMs: wait * 1000,
    ...more,
  });
}

/** A dot means every conflict, wherever it is typed. */
function plainPath(ctx: Context, path: string): string {
  return path === "." || path === "./" ? "." : pathFromRoot(ctx, path).path.replace(/^\.\//, "");
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
