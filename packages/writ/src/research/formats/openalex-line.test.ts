import fc from "fast-check";
import { expect, test } from "vitest";
import { openAlexWork } from "../sources/openalex/read-work.ts";
import { parseLine } from "./openalex-line.ts";

const word = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom('"', "\\", '\\"', '":[1]}', "]}", "a,", "__proto__"),
);
const index = fc.dictionary(word, fc.array(fc.nat(300), { maxLength: 4 }), { maxKeys: 12 });
const more = fc.jsonValue();

test("RL-81: a line of a dump says what it says as JSON, whatever words its abstract has", () => {
  fc.assert(
    fc.property(index, more, fc.constantFrom(undefined, 1), (abstract_inverted_index, concepts, space) => {
      const work = { id: "W1", title: "T", concepts, abstract_inverted_index, language: "en" };
      const line = JSON.stringify(work, null, space).replaceAll(/\n */g, " ");
      expect(openAlexWork(parseLine(line))).toEqual(openAlexWork(JSON.parse(line)));
    }),
  );
});

test.each([
  '{"id":"W1","title":"T","abstract_inverted_index":{}}',
  '{"id":"W1","title":"T","abstract_inverted_index":null}',
  '{"id":"W1","title":"T","abstract_inverted_index":{"a":[1.5],"b":[-1],"c":"d","e":[1]}}',
  '{"id":"W1","title":"T","abstract_inverted_index":{"a":[],"b":[ 1 , 2 ]}}',
  '{"id":"W1","title":"T","abstract_inverted_index": {"a": [0, 2], "b": [1]}}',
  '{"id":"W1","title":",\\"abstract_inverted_index\\":{\\"a\\":[1]}","abstract_inverted_index":{"b":[0]}}',
  '{"id":"W1","title":"T","x":{"y":1,"abstract_inverted_index":{"a":[1]}},"abstract_inverted_index":null}',
  '{"id":"W1","title":"T","x":{"y":1,"abstract_inverted_index":{"a":[1]}},"abstract_inverted_index":{"b":[0]}}',
  '{"id":"W1","title":"T","abstract_inverted_index":{"a":[123456789],"b":[0]}}',
  '[1,"abstract_inverted_index"]',
])("RL-81: %s says what it says as JSON", (line) => {
  expect(openAlexWork(parseLine(line))).toEqual(openAlexWork(JSON.parse(line)));
});

test.each([
  '{"a":1,"abstract_inverted_index":{"a":[1]}',
  '{"a":1,"abstract_inverted_index":{"\\q":[1]}}',
  "no",
  "",
])("RL-81: %s is no JSON", (line) => {
  expect(parseLine(line)).toBeUndefined();
});
