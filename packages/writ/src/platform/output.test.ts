import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.fixture.ts";
import { outputOf } from "./output.ts";

test("text is written without a stream, and by the stream once there is one", async () => {
  const file = join(await temporaryFolder(), "out");
  const fd = openSync(file, "w");
  try {
    const streamed: unknown[] = [];
    const stream = { isTTY: true, columns: 90, write: (text: unknown) => streamed.push(text) };
    const output = outputOf(fd, () => stream as unknown as NodeJS.WriteStream);
    output.write("für sich\n");
    expect(readFileSync(file, "utf8")).toBe("für sich\n");
    expect([output.isTTY, output.columns]).toEqual([true, 90]);
    output.write("then\n");
    expect(streamed).toEqual(["then\n"]);
    expect(readFileSync(file, "utf8")).toBe("für sich\n");
  } finally {
    closeSync(fd);
  }
});

test("what cannot be written is left to the stream", () => {
  const streamed: string[] = [];
  const stream = { write: (bytes: Buffer) => streamed.push(bytes.toString()) };
  // No process has this many files open.
  outputOf(2 ** 30, () => stream as unknown as NodeJS.WriteStream).write("für sich\n");
  expect(streamed).toEqual(["für sich\n"]);
});
