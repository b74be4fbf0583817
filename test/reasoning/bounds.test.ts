import { describe, expect, test } from "vitest";
import { WritError } from "../../packages/writ/src/contract/index.ts";
import { parseBody } from "../../packages/writ/src/reasoning/store/parse-body.ts";
import { bedThree, bedNone } from "./bed.ts";

/** What a record is refused with; nothing where it is taken. */
function refusal(record: Record<string, unknown>): { code?: string; limit?: unknown } {
  try {
    parseBody(record);
    return {};
  } catch (error) {
    if (!(error instanceof WritError)) throw error;
    return { code: error.code, limit: error.failure.details?.limit };
  }
}

const nested = (depth: number): unknown => (depth === 0 ? "x" : { deeper: nested(depth - 1) });
const texts = (count: number, chars: number): string[] =>
  Array.from({ length: count }, () => "x".repeat(chars));

describe("a record has bounds", () => {
  const record = { kind: "assessment", subject: "x" };
  test.for([
    ["a text", { subject: "x".repeat(8000) }, { subject: "x".repeat(8001) }, 8000],
    ["a list", { facts: texts(100, 1) }, { facts: texts(101, 1) }, 100],
    ["the whole", { facts: texts(8, 8000) }, { facts: texts(9, 8000) }, 65_536],
  ] as const)(
    "RS-56: %s up to its bound is taken, and one more names it",
    ([_what, fits, exceeds, limit]) => {
      expect(refusal({ ...record, ...fits })).toEqual({});
      expect(refusal({ ...record, ...exceeds })).toEqual({ code: "E_LIMIT", limit });
    },
  );
  test("RS-57: a record of the wrong shape is told so, whatever else is too long in it", () => {
    const long = "x".repeat(8001);
    expect(refusal({ kind: "verdict", subject: long })).toMatchObject({ code: "USAGE_ERROR" });
    expect(refusal({ ...record, subject: long, quorum: 2 })).toMatchObject({ code: "USAGE_ERROR" });
    expect(refusal({ ...record, subject: long, facts: [3] })).toMatchObject({ code: "USAGE_ERROR" });
    expect(refusal({ ...record, subject: long })).toMatchObject({ code: "E_LIMIT" });
  });
  test("RS-56: what is nested deeper than any record is refused before it is looked at", () => {
    expect(refusal({ ...record, facts: nested(5) })).toMatchObject({ code: "USAGE_ERROR" });
    expect(refusal({ ...record, facts: nested(6) })).toEqual({ code: "E_LIMIT", limit: 6 });
  });
});

test("RS-90: a brief above its bound is not sent, and nothing is recorded of it", async () => {
  await using bed = await bedThree();
  const assessment = await bed.assess("x", "material", { facts: texts(7, 8000) });
  const call = (opinions: number) =>
    bed.call("reasoning.consult", { assessment, prior_opinions: texts(opinions, 8000) }, { dryRun: true });
  expect((await call(2)).error).toBeNull();
  const { error } = await call(20);
  expect([error?.code, error?.details?.limit]).toEqual(["E_LIMIT", 200 * 1024]);
  expect(bed.alpha.wasRun()).toBe(false);
});

test("RS-109: a report keeps to its size and says how to see the rest; without records it is empty", async () => {
  await using bed = bedNone();
  const report = async () => (await bed.ok<{ report: string }>("reasoning.status")).report;
  expect(await report()).toBe("");
  const long = "long ".repeat(400);
  for (let i = 0; i < 25; i++)
    await bed.record({ kind: "attempt", attempt: `${i} ${long}`, observed_failure: long });
  const text = await report();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * 1024);
  expect(text).toMatch(/^Reasoning: 25 records, 0 answers, .*record chain 25 at [0-9a-f]{12}\.\n/);
  const shown = text.split("\n").filter((line) => line.startsWith("- Tried and failed: ")).length;
  expect(text).toMatch(
    new RegExp(`\\n- … and ${25 - shown} more: writ reasoning status --task untasked\\n$`),
  );
  expect(shown).toBeGreaterThan(0);
});
