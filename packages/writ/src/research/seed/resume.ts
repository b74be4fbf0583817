import { commandOf } from "../sources/run.ts";
import type { SeedInput } from "./input.ts";

/** The same command again, without its bounds, from what has arrived. */
export function resumeOf(given: SeedInput): string {
  const { source, resume: _, refresh, offline: __, max_cost_usd, max_wait, wait, email, ...rest } = given;
  void [max_cost_usd, max_wait, wait, email];
  return commandOf(["research", "seed"], {
    ...rest,
    ...(refresh && { refresh }),
    ...(source !== undefined && source !== "openalex" && { source }),
  });
}
