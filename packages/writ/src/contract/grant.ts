import type { Need } from "./capability.ts";
import type { Caller } from "./context.ts";

const mark: unique symbol = Symbol("granted");

/** Proof that a call was allowed. The executor runs nothing without one. */
export interface Grant {
  readonly [mark]: true;
  readonly caller: Caller;
  readonly need: Need;
}

/** Makes the proof. Called by `allow` and by the agents' policy engine only; a guard test holds that. */
export function grant(caller: Caller, need: Need): Grant {
  const made = { caller, need } as { -readonly [K in keyof Grant]: Grant[K] };
  // Set afterwards: a literal with a name that must be looked up first is made ten times as slowly.
  made[mark] = true;
  return made;
}
