import fc from "fast-check";
import { expect, test } from "vitest";
import {
  objectsOf,
  otherPackedRefs,
  parseRefs,
  parseRemoteRefs,
  printPackedRefs,
  printRefs,
} from "./remote-refs.ts";

const id = (digit: string): string => digit.repeat(40);

test("WS-25: refs that git's rules refuse, and those that are no branch or tag, are left out", () => {
  const names = [
    "refs/heads/-x",
    "refs/heads/a..b",
    "refs/heads/a b",
    "refs/heads/x.lock",
    "refs/pull/1/head",
    "refs/heads/../../evil",
    "refs/heads/ok",
  ];
  const parsed = parseRemoteRefs(names.map((name) => `${id("1")}\t${name}`).join("\n"), "acme");
  expect([...parsed.refs.keys()]).toEqual(["refs/heads/ok"]);
});

test("WS-29: more than 50,000 refs are E_LIMIT", () => {
  const lines = Array.from({ length: 50_001 }, (_, i) => `${id("1")}\trefs/heads/b${i}`);
  expect(() => parseRemoteRefs(lines.join("\n"), "acme")).toThrow(
    expect.objectContaining({ code: "E_LIMIT" }),
  );
  expect(parseRemoteRefs(lines.slice(1).join("\n"), "acme").refs.size).toBe(50_000);
});

test("a server that does not say what HEAD points to gets the usual branch at its commit", () => {
  const text = `${id("1")}\tHEAD\n${id("1")}\trefs/heads/aaa\n${id("1")}\trefs/heads/main\n${id("2")}\trefs/heads/zzz`;
  expect(parseRemoteRefs(text, "acme").head).toBe("refs/heads/main");
});

const hex = fc.stringMatching(/^[0-9a-f]{40}$/);
const ref = fc.record({
  name: fc.stringMatching(/^[a-z][a-zA-Z0-9_é-]{0,10}$/),
  commit: hex,
  tag: fc.option(hex),
});

test("what is kept of the refs is read back as it was", () => {
  fc.assert(
    fc.property(fc.uniqueArray(ref, { selector: ({ name }) => name }), (found) => {
      const remote = {
        head: "refs/heads/main",
        refs: new Map(found.map(({ name, commit }) => [`refs/tags/${name}`, commit])),
        tagObjects: new Map(
          found.flatMap(({ name, tag }) => (tag ? [[`refs/tags/${name}`, tag] as const] : [])),
        ),
      };
      const packs = ["pack-1.pack"];
      const kept = parseRefs(printRefs("https://h/o/r", remote, packs));
      expect(kept).toEqual({ url: "https://h/o/r", ...remote, packs });
      expect(printPackedRefs(remote, []).match(/^[0-9a-f]/gm)?.length ?? 0).toBe(objectsOf(remote).size);
    }),
  );
});

test("refs of others in the mirror, such as a promotion's, survive; mirrored ones are replaced", () => {
  const promotion = `${id("a")} refs/writ/promote/x\n`;
  const before = `# pack-refs with: peeled fully-peeled sorted \n${id("b")} refs/heads/old\n${id("c")} refs/tags/t\n^${id("d")}\n${promotion}`;
  expect(otherPackedRefs(before)).toEqual([promotion]);
  const after = printPackedRefs(
    { refs: new Map([["refs/heads/new", id("e")]]), tagObjects: new Map() },
    otherPackedRefs(before),
  );
  expect(after).toBe(
    `# pack-refs with: peeled fully-peeled sorted \n${id("e")} refs/heads/new\n${promotion}`,
  );
});

test("a file of refs that is damaged counts as nothing seen", () => {
  expect(parseRefs("{")).toBeNull();
  expect(parseRefs("{}")).toBeNull();
});
