import type { Capability } from "./capability.ts";
import type { Session } from "./ports.ts";

type Data = Record<string, unknown>;

/** What is asked, as far as an answer can be held for the next who asks the same. */
export interface HeldCall {
  capability: Pick<Capability, "id" | "holds">;
  input: Data;
  session: Session | undefined;
}

/** Gives the answer that still holds, or makes it. */
export type HeldAnswers = (call: HeldCall, make: () => Promise<Data>) => Promise<Data>;

// Everything there is to ask, with room to spare; input is the caller's to choose.
const most = 200;

/** Holds answers for as long as their capabilities say that they hold. */
export function createHeldAnswers(): HeldAnswers {
  const always = new Map<string, Promise<Data>>();
  return ({ capability: { id, holds }, input, session }, make) => {
    if (!holds) return make();
    const asked = `${id} ${JSON.stringify(input)}`;
    // Every later caller is given this very object, so none may change it.
    const frozen = async () => Object.freeze(await make());
    if (holds === "until_commit") return session ? session.keep(`answer ${asked}`, frozen) : make();
    const known = always.get(asked);
    if (known) return known;
    const made = frozen();
    made.then(
      () => {
        if (always.size >= most) always.clear();
        always.set(asked, made);
      },
      () => {},
    );
    return made;
  };
}
