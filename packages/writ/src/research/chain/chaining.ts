import type { Collected } from "../sources/collect.ts";
import type { Source } from "../sources/port.ts";
import type { Step } from "./deeper.ts";
import type { Recorded } from "./equations.ts";
import type { ChainInput } from "./input.ts";
import type { Direction } from "./rank.ts";
import type { Survey } from "./survey.ts";

/** One chaining: what is asked, and of what. */
export interface Chaining {
  given: ChainInput;
  source: Source;
  direction: Direction;
  since: string | undefined;
  survey: Survey;
  /** The cited works that are fetched by name. */
  names: string[];
  /** Recorded equations that are asked again. */
  equations: Recorded[];
}

/** Everything that was fetched, before any of it is taken into the library. */
export interface Fetched {
  steps: Step[];
  equations: { equation: Recorded; found: Collected }[];
}
