import type { SourceFlags } from "../sources/open-sources.ts";
import type { SourceInput } from "./source-input.ts";

/** What was said about sources; what was not said is left to the environment. */
export function flagsOf({ offline, jobs, timeout }: SourceInput): SourceFlags {
  return {
    ...(offline && { offline }),
    ...(jobs !== undefined && { jobs }),
    ...(timeout !== undefined && { timeout }),
  };
}
