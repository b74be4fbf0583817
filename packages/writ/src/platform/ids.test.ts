import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIds, systemIds } from "./ids.ts";

const uuid7 = /^tok_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const at = (instant: { ms: number }) => createIds({ now: () => instant.ms, randomBytes });

describe("ids", () => {
  test("AG-8: an id is a UUIDv7 behind its typed prefix, however the prefix is written", () => {
    expect(systemIds.next("tok")).toMatch(uuid7);
    expect(systemIds.next("tok_")).toMatch(uuid7);
  });

  test("AG-8: the first 48 bits are the instant", () => {
    const ids = at({ ms: Date.parse("2022-02-22T19:22:22.000Z") });
    // The instant of the example in RFC 9562, A.6.
    expect(ids.next("tok")).toMatch(/^tok_017f22e2-79b0-7/);
  });

  test("AG-8: ids of one process only grow, whatever the clock does", () => {
    const clock = { ms: 1_700_000_000_000 };
    const ids = at(clock);
    const steps = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 200 });
    let last = "";
    fc.assert(
      fc.property(steps, (deltas) => {
        for (const delta of deltas) {
          clock.ms += delta;
          const id = ids.next("led");
          expect(id > last).toBe(true);
          last = id;
        }
      }),
    );
  });

  test("AG-8: more ids than the counter holds still grow within one millisecond", () => {
    const ids = createIds({ now: () => 1000, randomBytes: (size) => new Uint8Array(size).fill(255) });
    const made = Array.from({ length: 10_000 }, () => ids.next("led"));
    expect(new Set(made).size).toBe(10_000);
    expect(made.toSorted()).toEqual(made);
    for (const id of made) expect(id.replace("led", "tok")).toMatch(uuid7);
  });

  test("a secret has as many random bytes as are asked for", () => {
    expect(systemIds.secret(32)).toMatch(/^[0-9a-f]{64}$/);
    expect(systemIds.secret(32)).not.toBe(systemIds.secret(32));
  });
});
