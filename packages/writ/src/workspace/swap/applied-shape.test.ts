import { expect, test } from "vitest";
import { AppliedSchema } from "./applied-schema.ts";
import { isApplied } from "./applied-shape.ts";

const whole = {
  schema: "writ-applied/1",
  format: "1",
  inputs: "a",
  lock: null,
  files: [
    {
      path: "a",
      kind: "copy",
      sha256: "0".repeat(64),
      mode: "100644",
      size: 1,
      mtime_ns: "1",
      ino: "1",
      stack: "s",
      commit: "c",
      source: "p",
      blob: "b",
    },
  ],
  regions: [{ path: "a", generated: "", editable: "" }],
  repos: [{ path: "a", repo: "b", ref: "c", commit: "d", from: "e" }],
  stacks: [{ label: "a", files: 1 }],
  conflicts: [{ path: "a", reason: "no_base", unmerged: "not_text", theirs: null }],
  context: { canonical: "a", mirrors: ["b"], extras: ["c"], linked: ["d"] },
  overlay: { repo: "a", want: "b", ref: "c", commit: "d", files: 1 },
  run: "r",
};

/** The record with each of its values in turn taken away or replaced, and with a strange member in each object. */
function* spoiled(value: unknown): Generator<unknown> {
  for (const other of [undefined, null, "x", 1, 1.5, true, [], {}]) yield other;
  if (Array.isArray(value)) for (const member of spoiled(value[0])) yield [member];
  else if (typeof value === "object" && value !== null) {
    yield { ...value, strange: 1 };
    for (const [key, member] of Object.entries(value))
      for (const other of spoiled(member)) yield { ...value, [key]: other };
  }
}

test("WS-91: the check by hand accepts a record where the schema does, and nothing else", () => {
  const records = [whole, ...spoiled(whole)].map(
    (record) => JSON.parse(JSON.stringify(record ?? null)) as unknown,
  );
  const accepted = records.filter((record) => AppliedSchema.safeParse(record).success);
  expect(accepted.length).toBeGreaterThan(20);
  expect(records.filter(isApplied)).toEqual(accepted);
});
