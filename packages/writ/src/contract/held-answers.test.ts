import { expect, test } from "vitest";
import { createHeldAnswers } from "./held-answers.ts";
import type { Session } from "./ports.ts";

const capability = (holds?: "always" | "until_commit") => ({ id: "some.list", ...(holds && { holds }) });

/** Makes another answer each time it is asked. */
function counting(): () => Promise<{ made: number }> {
  let made = 0;
  return async () => ({ made: ++made });
}

test("an answer that always holds is made once for each input, and nobody can change it", async () => {
  const held = createHeldAnswers();
  const make = counting();
  const ask = (name: string) =>
    held({ capability: capability("always"), input: { name }, session: undefined }, make);
  expect([await ask("a"), await ask("b"), await ask("a")]).toEqual([{ made: 1 }, { made: 2 }, { made: 1 }]);
  const answer = await ask("a");
  expect(() => Object.assign(answer, { made: 9 })).toThrow(TypeError);
});

test("an answer that holds until a commit is kept by the session, and made anew where there is none", async () => {
  const held = createHeldAnswers();
  const make = counting();
  const kept = new Map<string, unknown>();
  const session = {
    keep: async (key: string, make: () => Promise<unknown>) => {
      if (!kept.has(key)) kept.set(key, await make());
      return kept.get(key);
    },
  } as Session;
  const ask = (of: { session: Session | undefined }) =>
    held({ capability: capability("until_commit"), input: {}, ...of }, make);
  expect([await ask({ session }), await ask({ session })]).toEqual([{ made: 1 }, { made: 1 }]);
  expect([await ask({ session: undefined }), await ask({ session: undefined })]).toEqual([
    { made: 2 },
    { made: 3 },
  ]);
});

test("any other answer is made each time", async () => {
  const held = createHeldAnswers();
  const make = counting();
  const ask = () => held({ capability: capability(), input: {}, session: undefined }, make);
  expect([await ask(), await ask()]).toEqual([{ made: 1 }, { made: 2 }]);
});
