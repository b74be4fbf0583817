import { statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.fixture.ts";
import { makeFolder } from "./make-folder.ts";

test("the topmost folder that had to be made is answered, nothing where all stand", async () => {
  const root = await temporaryFolder();
  expect(await makeFolder(join(root, "a/b/c"), 0o700)).toBe(join(root, "a"));
  expect(statSync(join(root, "a/b")).mode & 0o777).toBe(0o700);
  expect(await makeFolder(join(root, "a/b/c"))).toBeUndefined();
  expect(await makeFolder(join(root, "a/b/d/"))).toBe(join(root, "a/b/d"));
});

test("many that make the same folders at once all succeed", async () => {
  const root = await temporaryFolder();
  const made = Array.from({ length: 8 }, (_, at) => makeFolder(join(root, "a/b", String(at))));
  expect((await Promise.all(made)).every((topmost) => topmost?.startsWith(root))).toBe(true);
});

test("a file in the way is told, at the place where it stands", async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, "a"));
  await writeFile(join(root, "a/file"), "");
  const blocked = { code: "ENOTDIR", path: join(root, "a/file") };
  await expect(makeFolder(join(root, "a/file"))).rejects.toMatchObject(blocked);
  await expect(makeFolder(join(root, "a/file/b"))).rejects.toMatchObject(blocked);
});

test.skipIf(process.platform !== "linux")("where no folder can be made the attempt ends", async () => {
  await expect(makeFolder("/proc/writ/cache")).rejects.toMatchObject({ code: "ENOENT" });
  await expect(makeFolder("/proc/self/cache")).rejects.toMatchObject({ code: "ENOENT" });
});
