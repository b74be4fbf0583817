import fc from "fast-check";
import { expect, test } from "vitest";
import { parseReference, printName, printReference, type Reference, referenceForms } from "./refs.ts";

const cited: [text: string, reference: Reference][] = [
  ["file:.agents/rules/r1.md", { kind: "file", path: ".agents/rules/r1.md" }],
  ["stack:acme/agent-stack", { kind: "stack", id: "acme/agent-stack" }],
  ["repo:addons/a", { kind: "repo", path: "addons/a" }],
  ["setting:agent_context.canonical", { kind: "setting", key: "agent_context.canonical" }],
  ["commit:acme@90b7d1e2", { kind: "commit", stack: "acme", hex: "90b7d1e2" }],
  ["commit:path/with@sign@90b7d1e2", { kind: "commit", stack: "path/with@sign", hex: "90b7d1e2" }],
  ["topic:caching", { kind: "topic", slug: "caching" }],
  ["topic:top_01890a5d", { kind: "topic", slug: "top_01890a5d" }],
  ["topic:caching@3", { kind: "topic", slug: "caching", version: "3" }],
  ["collection:decisions", { kind: "collection", slug: "decisions" }],
  ["collection:decisions/rec_01890a5d", { kind: "collection", slug: "decisions", record: "rec_01890a5d" }],
  ["record:asm_01890a5d", { kind: "record", id: "asm_01890a5d" }],
  ["paper:10.5555/a1", { kind: "paper", id: "10.5555/a1" }],
  ["paper:W104@0123456789abcdef", { kind: "paper", id: "W104", rowHash: "0123456789abcdef" }],
  ["agent:librarian@3", { kind: "agent", name: "librarian", version: "3" }],
  ["run:run_01890a5d", { kind: "run", id: "run_01890a5d" }],
  ["proposal:prop_01890a5d", { kind: "proposal", id: "prop_01890a5d" }],
  ["approval:apr_01890a5d", { kind: "approval", id: "apr_01890a5d" }],
];

test("CT-34: every kind of reference is read and printed back", () => {
  for (const [text, reference] of cited) {
    expect(parseReference(text)).toEqual({ reference });
    expect(printReference(reference)).toBe(text);
    expect(`${reference.kind}:${printName(reference)}`).toBe(text);
  }
  expect([...new Set(cited.map(([, { kind }]) => kind))].sort()).toEqual(Object.keys(referenceForms).sort());
});

test("CT-34: a bare path is a file, also with a colon in it or a drive before it", () => {
  for (const path of [
    "CLAUDE.md",
    ".agents/rules/r1.md",
    "docs/a:b.md",
    "./stack:x",
    "C:\\x",
    "c:/x",
    "Stack:x",
  ]) {
    expect(parseReference(path)).toEqual({ reference: { kind: "file", path } });
  }
});

test("CT-34: an unknown kind is refused with the nearest, and there are no others", () => {
  expect(parseReference("stak:core")).toMatchObject({ fault: { nearest: "stack" } });
  expect(parseReference("pr:12")).toMatchObject({ fault: { cause: expect.stringContaining("collection") } });
  expect(parseReference("task:t1")).not.toHaveProperty("reference");
});

test("CT-34: a name that its kind cannot have is refused with the form it has", () => {
  const broken = [
    "",
    "file:",
    "stack:",
    "commit:acme",
    "commit:@90b7",
    "commit:acme@xyz",
    "agent:librarian",
    "topic:",
    "topic:a@x",
  ];
  for (const text of [
    ...broken,
    "collection:/a",
    "collection:a/",
    "record:",
    "record:../x",
    "paper:",
    "setting:a b",
    "run:",
  ]) {
    expect(parseReference(text)).toHaveProperty("fault");
  }
  expect(parseReference("agent:librarian")).toMatchObject({
    fault: { kind: "agent", cause: "It is written agent:<name>@<version>." },
  });
  expect(parseReference(`file:${"x".repeat(3000)}`)).toHaveProperty("fault");
});

test("CT-34: whatever is read as a reference is printed so that it is read as the same one", () => {
  const kinds = fc.constantFrom(...Object.keys(referenceForms));
  const texts = fc.oneof(
    fc.string(),
    fc.tuple(kinds, fc.string()).map(([kind, name]) => `${kind}:${name}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const read = parseReference(text);
      const again = "fault" in read ? read : parseReference(printReference(read.reference));
      expect(again).toEqual(read);
    }),
  );
});
