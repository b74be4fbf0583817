import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { answerMalformed, refusalsOf } from "./malformed.ts";

const answered = (line: string) => refusalsOf(line).map(({ id, error }) => [id, error.code]);

test("RN-13: what is no message is refused by its id, where one can be read", () => {
  expect(answered("no json")).toEqual([[null, -32700]]);
  expect(answered('"text"')).toEqual([[null, -32600]]);
  expect(answered("[]")).toEqual([[null, -32600]]);
  expect(
    answered('[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]'),
  ).toEqual([
    [1, -32600],
    ["b", -32600],
  ]);
  expect(answered('[{"jsonrpc":"2.0","method":"notifications/initialized"}]')).toEqual([[null, -32600]]);
  expect(answered('{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}')).toEqual([[7, -32602]]);
  expect(answered('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":5}}')).toEqual([[7, -32602]]);
  expect(answered('{"id":3,"method":"ping"}')).toEqual([[3, -32600]]);
  expect(answered('{"jsonrpc":"2.0","id":4}')).toEqual([[4, -32600]]);
  expect(answered('{"jsonrpc":"2.0","id":{},"method":"ping"}')).toEqual([[null, -32600]]);
  expect(answered('{"jsonrpc":"2.0","id":5,"method":"ping","also":1}')).toEqual([[5, -32600]]);
});

test("RN-13: a message is left to the server, and what expects no answer gets none", () => {
  expect(answered('{"jsonrpc":"2.0","id":1,"method":"ping"}\r')).toEqual([]);
  expect(answered("")).toEqual([]);
  expect(answered('{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}')).toEqual([]);
  expect(answered('{"jsonrpc":"1.0","id":1,"result":{}}')).toEqual([]);
});

test("RN-13: a line is judged as a whole, however it comes", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  answerMalformed(input, output);
  const text =
    '{"jsonrpc":"2.0","id":1,"method":"ping"}\n[{"jsonrpc":"2.0","id":"é","method":"ping"}]\n{"id":2}\n';
  for (const byte of Buffer.from(text)) input.write(Buffer.of(byte));
  input.end();
  for await (const _ of input.pipe(new PassThrough())) void _;
  const lines = String(output.read()).trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { id: unknown }).id)).toEqual(["é", 2]);
});
