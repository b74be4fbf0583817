import { commandOf } from "../sources/run.ts";
import type { ChainInput } from "./input.ts";

/** The same command again, without its bounds, from what has arrived. */
export function resumeOf(given: ChainInput): string {
  const { direction, max_citing, max_candidates, fetch_top, depth, since, equations, refresh, source } =
    given;
  return commandOf(["research", "chain"], {
    ...(direction !== "both" && { direction }),
    ...(max_citing !== 50 && { max_citing }),
    ...(max_candidates !== undefined && { max_candidates }),
    ...(fetch_top > 0 && { fetch_top }),
    ...(depth > 1 && { depth }),
    ...(since !== undefined && { since }),
    equations,
    refresh,
    ...(source !== undefined && source !== "openalex" && { source }),
  });
}
