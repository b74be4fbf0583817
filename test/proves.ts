import type { Rule } from "./rules.ts";

/** The title of a test that proves rules named at run time, as a walk over the registry does. */
export function proves(proven: Rule | readonly Rule[], behaviour: string): string {
  return `${[proven].flat().join(", ")}: ${behaviour}`;
}
