import type { Call, Where } from "./call.ts";
import type { Caller, Workspace } from "./context.ts";

const mark: unique symbol = Symbol("admitted");

/** What was found out when a caller was admitted. */
export interface Admitted {
  credential: Call["credential"];
  where: Where;
  caller: Caller;
  workspace: Workspace | undefined;
}

/**
 * Proof that the caller of one call was admitted a moment ago, so that a surface that must know it before it
 * reads on does not have it asked twice. It holds once, and for that credential and place only.
 */
export interface Admission {
  [mark]: Admitted | undefined;
}

/** Makes the proof. Called by `authenticate` only; a guard test holds that. */
export function admission(admitted: Admitted): Admission {
  // Set afterwards: a literal with a name that must be looked up first is made ten times as slowly.
  const made = {} as Admission;
  made[mark] = admitted;
  return made;
}

/** What the proof of a call says, the first time it is asked; undefined where it has none of its own. */
export function redeem({ admission: shown, credential, where }: Call): Admitted | undefined {
  const admitted = shown?.[mark];
  if (!shown || admitted?.credential !== credential || admitted.where !== where) return undefined;
  shown[mark] = undefined;
  return admitted;
}
