import { expect, test } from "vitest";
import type { Command, Flag } from "../../contract/index.ts";
import { parseArguments } from "./arguments.ts";

const flag = (field: string, more: Partial<Flag> = {}): Flag => ({
  field,
  name: field,
  kind: "string",
  many: false,
  required: false,
  description: field,
  ...more,
});

const list: Command = {
  id: "read.list",
  path: ["read", "list"],
  summary: "List.",
  need: { effect: "observe", network: "never", workspace: "none" },
  mutates: false,
  on: ["cli"],
  heavy: false,
  streams: false,
  errors: [],
  examples: [],
  related: [],
  flags: [flag("edge", { many: true, words: 2 }), flag("network"), flag("name", { positional: 0 })],
  secrets: [],
};

test("CT-22: a list of a fixed length takes so many words behind its flag, and no more", () => {
  const input = (...words: string[]) => {
    const asked = parseArguments(["read", "list", ...words], [list]);
    return asked.kind === "call" ? asked.input : asked;
  };
  expect(input("--edge", "A", "B", "--network", "x")).toEqual({ edge: ["A", "B"], network: "x" });
  expect(input("--edge", "A", "B", "C")).toEqual({ edge: ["A", "B"], name: "C" });
  expect(input("--edge", "A", "--edge", "B", "C")).toEqual({ edge: ["A", "B", "C"] });
  expect(input("--edge=A", "B")).toEqual({ edge: ["A", "B"] });
  expect(input("--network", "x", "C")).toEqual({ network: "x", name: "C" });
});
