import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.fixture.ts";
import { compareBytes, walkFolder } from "./walk-folder.ts";

test("all below a folder is listed in byte order, links reported and not followed", async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, "b/c"), { recursive: true });
  await mkdir(join(root, "b-d"));
  for (const path of ["b/c/f", "b/z", "b-d/é", "B", "\u{1f600}", "\uffee"])
    await writeFile(join(root, path), "1234");
  await symlink("b", join(root, "a"));
  const found = await walkFolder(root);
  expect(found.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    "file B",
    "link a",
    "folder b",
    "folder b-d",
    "file b-d/é",
    "folder b/c",
    "file b/c/f",
    "file b/z",
    "file \uffee",
    "file \u{1f600}",
  ]);
  expect(found[0]?.sizeBytes).toBe(4);
});

test("what is skipped is left out with all below it, and a folder that is not there is empty", async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, ".git/objects"), { recursive: true });
  await writeFile(join(root, "a"), "");
  expect((await walkFolder(root, { skip: (path) => path === ".git" })).map((entry) => entry.path)).toEqual([
    "a",
  ]);
  expect(await walkFolder(join(root, "none"))).toEqual([]);
});

test("CT-23: more entries than the bound are E_LIMIT", async () => {
  const root = await temporaryFolder();
  for (const name of ["a", "b", "c"]) await writeFile(join(root, name), "");
  await expect(walkFolder(root, { maxEntries: 2 })).rejects.toMatchObject({ code: "E_LIMIT" });
});

test("CT-16: the order of paths is the order of their bytes", () => {
  const path = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(path, path, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
