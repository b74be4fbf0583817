import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/fixtures/temp-folder.ts";
import { syncFiles } from "./sync-files.ts";

test("a few files are flushed one by one, many together", async () => {
  using temp = tempFolder();
  const names = Array.from({ length: 100 }, (_, i) => `f${i}`);
  for (const name of names) writeFileSync(temp.file(name), name);
  await expect(syncFiles(temp.path, [])).resolves.toBeUndefined();
  await expect(syncFiles(temp.path, names.slice(0, 3))).resolves.toBeUndefined();
  await expect(syncFiles(temp.path, names)).resolves.toBeUndefined();
});

test("a file that cannot be flushed is told", async () => {
  using temp = tempFolder();
  await expect(syncFiles(temp.path, ["gone"])).rejects.toMatchObject({ code: "ENOENT" });
});
