import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { readYaml } from "./yaml.ts";

const valueOf = (text: string | Uint8Array) => {
  const { value, problems } = readYaml(text);
  expect(problems).toEqual([]);
  return value;
};
const kindsOf = (text: string | Uint8Array) => readYaml(text).problems.map(({ kind }) => kind);

describe("WS-5: what is read", () => {
  test("WS-5: scalars are those of the YAML 1.2 core schema, also under a 1.1 directive", () => {
    const text =
      "a: yes\nb: on\nc: 0o17\nd: 1_000\ne: 2001-01-01\nf: 0x1F\ng: ~\nh: True\ni: 1e3\nj: 12:30:45\n";
    const value = {
      a: "yes",
      b: "on",
      c: 15,
      d: "1_000",
      e: "2001-01-01",
      f: 31,
      g: null,
      h: true,
      i: 1000,
      j: "12:30:45",
    };
    expect(valueOf(text)).toEqual(value);
    expect(valueOf(`%YAML 1.1\n---\n${text}`)).toEqual(value);
  });

  test("WS-5: a byte-order mark is dropped", () => {
    expect(valueOf("\uFEFFa: 1")).toEqual({ a: 1 });
    expect(valueOf(Buffer.from("\uFEFFa: 1"))).toEqual({ a: 1 });
  });

  test("WS-5: merge keys are applied: own keys win, then the earlier map", () => {
    const text = "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  <<: [*x, *y]\n  a: 0\nw: {<<: *y}\n";
    expect(valueOf(text)).toMatchObject({ z: { a: 0, b: 1, c: 2 }, w: { b: 2, c: 2 } });
    expect(valueOf('"<<": 1')).toEqual({ "<<": 1 });
  });

  test("WS-5: an empty file, or one of comments, is null", () => {
    expect(valueOf("")).toBeNull();
    expect(valueOf("# nothing\n")).toBeNull();
  });

  test("keys are the text as it was written, and no key reaches a prototype", () => {
    expect(valueOf("19.0: a\n0x10: b\n'1': c\n~: d")).toEqual({
      "19.0": "a",
      "0x10": "b",
      "1": "c",
      "~": "d",
    });
    const value = valueOf("__proto__: {polluted: true}\nconstructor: 1") as object;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("the core tags may be written out", () => {
    expect(valueOf("a: !!str 1\nb: !!int 2\nc: !!map {}\nd: !!seq []\ne: ! x")).toEqual({
      a: "1",
      b: 2,
      c: {},
      d: [],
      e: "x",
    });
  });

  test("WS-5: what is printed and read again is the same", () => {
    const value = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
    const isPlain = (v: unknown): boolean =>
      !/\\u(?:0000|fffe|ffff|feff|d[89a-f])|-0/i.test(JSON.stringify(v)) &&
      !/[\0\uFEFF\u0085\u2028\u2029]/.test(JSON.stringify(v));
    fc.assert(
      fc.property(value.filter(isPlain), (plain) => {
        expect(valueOf(stringify(plain, { version: "1.2", schema: "core" }))).toEqual(plain);
      }),
    );
  });
});

describe("WS-5: what is refused", () => {
  test.each([
    ["a local tag", "a: !secret x"],
    ["a binary tag", "a: !!binary aGk="],
    ["a set", "a: !!set {x}"],
    ["a timestamp tag", "a: !!timestamp 2001-01-01"],
    ["a script's tag", "a: !!js/function 'function(){}'"],
    ["a second document", "a: 1\n---\nb: 2\n"],
    ["a tab in indentation", "a:\n\tb: 1\n"],
    ["a tab after spaces", "a:\n  \tb: 1\n"],
    ["a tab within a flow collection", "a: [\n\t1\n]\n"],
    ["an open quote", 'a: "x'],
    ["an open bracket", "a: [1"],
    ["an alias of nothing", "a: *none"],
    ["a list as a key", "? [a, b]\n: 1"],
    ["a merge of text", "a: {<<: text}"],
    ["bad indentation", "a:\n    b: 1\n  c: 2\n"],
  ])("WS-5: %s is a problem of syntax, and there is no value", (_, text) => {
    const { value, problems } = readYaml(text);
    expect(problems.map(({ kind }) => kind)).toContain("syntax");
    expect(value).toBeUndefined();
  });

  test("WS-5: a tab elsewhere is no indentation", () => {
    expect(valueOf("a: |\n  x\n  \ty\nb:\t1\t# c\n\t\nc: 'p\n\n \tq'\n")).toEqual({
      a: "x\n\ty\n",
      b: 1,
      c: "p\nq",
    });
  });

  test("WS-5: a repeated key is a problem with its own place, also when written in another way", () => {
    const { problems, value } = readYaml("a: 1\nb:\n  c: 1\n  'c': 2\na: 3\n");
    expect(problems).toMatchObject([
      { kind: "duplicate", pointer: "/b/c", line: 4, column: 3 },
      { kind: "duplicate", pointer: "/a", line: 5, column: 1 },
    ]);
    expect(value).toEqual({ a: 1, b: { c: 1 } });
  });

  test("WS-5: bytes that are not UTF-8 are a problem on their line", () => {
    const { problems } = readYaml(Buffer.from([...Buffer.from("a: 1\nb: é\nc: "), 0xe9, 10]));
    expect(problems).toMatchObject([{ kind: "syntax", line: 3, hint: "save it as UTF-8" }]);
    expect(kindsOf(Buffer.from("\uFEFFa: 1", "utf16le"))).toEqual(["syntax"]);
  });
});

describe("WS-5: bounds", () => {
  test("WS-5: one byte more than 1 MiB is a limit", () => {
    const text = `a: ${"x".repeat(1024 * 1024 - 3)}`;
    expect(kindsOf(text)).toEqual([]);
    expect(readYaml(`${text}x`).problems).toMatchObject([
      { kind: "limit", limit: 1024 * 1024, found: 1024 * 1024 + 1 },
    ]);
  });

  test("WS-5: depth 32 is read, 33 is a limit, in flow and in block form", () => {
    const flow = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    const block = (depth: number) => Array.from({ length: depth }, (_, i) => `${" ".repeat(i)}a:\n`).join("");
    expect([kindsOf(flow(32)), kindsOf(block(32))]).toEqual([[], []]);
    expect([kindsOf(flow(33)), kindsOf(block(33)), kindsOf("- ".repeat(33))]).toEqual([
      ["limit"],
      ["limit"],
      ["limit"],
    ]);
  });

  test("WS-5: 20,000 values are read, one more is a limit", () => {
    const list = (count: number) => `[${"1,".repeat(count)}]`;
    expect(kindsOf(list(19_999))).toEqual([]);
    expect(kindsOf(list(20_000))).toEqual(["limit"]);
    // Keys are values too.
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: 1\n`).join("");
    expect(readYaml(lines(49), { maxNodes: 100 }).problems).toEqual([]);
    expect(readYaml(lines(50), { maxNodes: 100 }).problems).toMatchObject([
      { kind: "limit", limit: 100, found: 101 },
    ]);
  });

  test("WS-5: 100 alias expansions are read, one more is a limit", () => {
    const aliases = (count: number) => `x: &x 1\ny: [${"*x,".repeat(count)}]`;
    expect(kindsOf(aliases(100))).toEqual([]);
    expect(kindsOf(aliases(101))).toEqual(["limit"]);
  });

  test.each([
    [
      "a billion laughs",
      `a0: &a0 [x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join("\n")}`,
    ],
    ["a list that holds itself", "a: &a [*a]"],
    ["a map that merges itself", "a: &a {<<: *a}"],
    ["a megabyte of brackets", "[".repeat(1024 * 1024)],
    ["a megabyte of braces", "{".repeat(1024 * 1024)],
    ["a megabyte of dashes", "- ".repeat(512 * 1024)],
    ["a megabyte of question marks", "? ".repeat(512 * 1024)],
    ["a megabyte of commas", `[${",".repeat(1024 * 1024 - 1)}`],
    ["a megabyte of anchors", "&a ".repeat(340_000)],
    ["a megabyte of lines", "\n".repeat(1024 * 1024)],
    ["a megabyte of colons", ": ".repeat(512 * 1024)],
    ["a megabyte of documents", "---\n".repeat(256 * 1024)],
    ["a megabyte of steps", Array.from({ length: 1400 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
  ])("WS-5: %s is found out, not built", (_, text) => {
    const before = process.memoryUsage().heapUsed;
    const { problems } = readYaml(text);
    expect(problems.length).toBeLessThan(50);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024);
  });

  test("WS-5: nothing makes the reader throw", () => {
    const pieces = [
      "a",
      ": ",
      "- ",
      "\n",
      "  ",
      "\t",
      "[",
      "]",
      "{",
      "}",
      ",",
      "&x ",
      "*x",
      "!!str ",
      "!t ",
      "|",
      ">",
      "'",
      '"',
      "#",
      "<<: ",
      "? ",
      "---\n",
      "...\n",
      "%YAML 1.2\n",
      "\\",
      "\0",
      "é",
      "\uFEFF",
    ];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 40 }),
        (parts) => {
          const { value, problems, locate } = readYaml(parts.join(""));
          for (const { line, column } of [...problems, locate("/a/0")])
            expect(Math.min(line, column)).toBeGreaterThan(0);
          const broken = problems.some(({ kind }) => kind !== "duplicate");
          expect(broken && value !== undefined).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readYaml(bytes)).toBeDefined();
      }),
    );
  });
});

describe("WS-7: places", () => {
  const text = "name: demo\nstacks:\n  - ref: core\n    a/b: 1\n  - {ref: acme}\n";

  test("WS-7: a value and its key are found by pointer", () => {
    const { locate } = readYaml(text);
    expect(locate("/stacks/0/ref")).toEqual({ line: 3, column: 10 });
    expect(locate("/stacks/0/ref", "key")).toEqual({ line: 3, column: 5 });
    expect(locate("/stacks/0/a~1b")).toEqual({ line: 4, column: 10 });
    expect(locate("/stacks/1/ref")).toEqual({ line: 5, column: 11 });
    expect(locate("")).toEqual({ line: 1, column: 1 });
  });

  test("WS-7: of what is not there, the nearest that would hold it is found", () => {
    const { locate } = readYaml(text);
    expect(locate("/stacks/1/branch")).toEqual({ line: 5, column: 5 });
    expect(locate("/nothing/at/all")).toEqual({ line: 1, column: 1 });
  });

  test("WS-7: all problems of a file are reported, in order of their place", () => {
    const { problems } = readYaml("a: !x 1\nb: 1\nb: 2\nc: !y 3\n");
    expect(problems.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
      "1 syntax",
      "3 duplicate",
      "4 syntax",
    ]);
  });
});
