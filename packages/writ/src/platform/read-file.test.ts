import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.fixture.ts";
import { hashFile, readOrNull } from "./read-file.ts";

test("what is not there is null, also below a file", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "file"), "text");
  expect(await readOrNull(join(folder, "none"))).toBeNull();
  expect(await readOrNull(join(folder, "file/below"))).toBeNull();
});

test("CT-23: a file at its bound is read, one beyond it is E_LIMIT with limit and found", async () => {
  const path = join(await temporaryFolder(), "big");
  await writeFile(path, "x".repeat(100_000));
  expect((await readOrNull(path, 100_000))?.length).toBe(100_000);
  expect((await readOrNull(path))?.length).toBe(100_000);
  const refused = readOrNull(path, { maxBytes: 99_999, label: "rules/big" });
  await expect(refused).rejects.toMatchObject({
    code: "E_LIMIT",
    failure: { details: { limit: 99_999, found: 100_000, path: "rules/big" } },
  });
});

test("CT-23: a file whose size is told as nothing is bounded by what is read", async () => {
  await expect(readOrNull("/proc/self/status", 10)).rejects.toMatchObject({ code: "E_LIMIT" });
});

test("a pipe is refused and never waited for, and a folder is no file", async () => {
  const folder = await temporaryFolder();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  await mkdir(join(folder, "sub"));
  await expect(readOrNull(join(folder, "pipe"))).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
  await expect(readOrNull(join(folder, "sub"))).rejects.toMatchObject({ code: "EISDIR" });
});

test("a pipe or device has no hash, and is never waited for", async () => {
  const folder = await temporaryFolder();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  await expect(hashFile(join(folder, "pipe"))).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
  await expect(hashFile("/dev/zero")).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
});
