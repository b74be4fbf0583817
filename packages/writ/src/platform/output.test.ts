import { spawn } from "node:child_process";
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

test("whoever stops reading what is said of the work does not stop the work", async () => {
  const script = `
    import { outputOf, standardError } from ${JSON.stringify(new URL("output.ts", import.meta.url).href)};
    const said = outputOf(2, standardError);
    process.stdin.once("data", () => {
      said.write("of the work");
      setImmediate(() => { said.write("more"); process.stdout.write("done"); process.stdin.destroy(); });
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  child.stderr.destroy();
  child.stdin.write("go");
  const [answer, code] = await Promise.all([
    child.stdout.setEncoding("utf8").reduce((all: string, text: string) => all + text, ""),
    new Promise((resolve) => child.once("exit", resolve)),
  ]);
  expect([answer, code]).toEqual(["done", 0]);
});
