import type { z } from "zod";
import type { AppliedSchema } from "./applied-schema.ts";

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === "string";
const whole: Test = (value) => Number.isSafeInteger(value);
const hash: Test = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const textOrNull: Test = (value) => value === null || text(value);
const maybe =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const oneOf =
  (...words: string[]): Test =>
  (value) =>
    words.includes(value as string);

function objectOf(shape: Record<string, Test>): Test {
  const tests = new Map(Object.entries(shape));
  const needed = [...tests].flatMap(([key, test]) => (test(undefined) ? [] : [key]));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const object = value as Record<string, unknown>;
    for (const key in object) if (tests.get(key)?.(object[key]) !== true) return false;
    return needed.every((key) => key in object);
  };
}

const file = objectOf({
  path: text,
  kind: oneOf("copy", "index", "derived", "extra", "link", "block"),
  sha256: hash,
  mode: text,
  size: whole,
  mtime_ns: text,
  ino: text,
  stack: maybe(text),
  commit: maybe(text),
  source: maybe(text),
  blob: maybe(text),
});

const applied = objectOf({
  schema: oneOf("writ-applied/1"),
  format: text,
  inputs: text,
  lock: textOrNull,
  files: listOf(file),
  regions: listOf(objectOf({ path: text, generated: text, editable: text })),
  repos: listOf(objectOf({ path: text, repo: text, ref: text, commit: text, from: text })),
  stacks: maybe(listOf(objectOf({ label: text, files: whole }))),
  conflicts: maybe(
    listOf(
      objectOf({
        path: text,
        reason: oneOf("no_base", "both_changed", "orphan_edited"),
        unmerged: maybe(oneOf("same_lines", "no_base", "not_text", "not_a_copy")),
        theirs: textOrNull,
      }),
    ),
  ),
  context: maybe(
    objectOf({ canonical: text, mirrors: listOf(text), extras: listOf(text), linked: listOf(text) }),
  ),
  overlay: maybe(objectOf({ repo: text, want: text, ref: maybe(text), commit: text, files: whole })),
  run: text,
});

/**
 * True for what {@link AppliedSchema} accepts. Every status and every run reads the record, of ten thousand files or
 * more; held against the schema it would take longer than all the rest.
 */
export function isApplied(value: unknown): value is z.input<typeof AppliedSchema> {
  return applied(value);
}
