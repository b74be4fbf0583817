import { chmod, link, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "./folder.fixture.ts";
import {
  createExclusive,
  isTemporaryName,
  removeEmptyParents,
  removeTemporaries,
  removeTree,
  writeAtomic,
} from "./write-atomic.ts";
import { makeFolder } from "./make-folder.ts";

describe("writeAtomic", () => {
  test("replaces the content and leaves nothing beside it", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "a.txt");
    await writeAtomic(path, "one");
    await writeAtomic(path, Buffer.from("two"));
    expect(await readFile(path, "utf8")).toBe("two");
    expect(await readdir(folder)).toEqual(["a.txt"]);
  });

  test("WS-98: a write that fails leaves the old state and no temporary file", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "target", "full"), { recursive: true });
    await expect(writeAtomic(join(folder, "target"), "text")).rejects.toMatchObject({ code: "EISDIR" });
    expect(await readdir(folder)).toEqual(["target"]);
  });

  test("keeps the permissions of the file it replaces", async () => {
    const path = join(await temporaryFolder(), "run.sh");
    await writeFile(path, "old");
    await chmod(path, 0o750);
    await writeAtomic(path, "new");
    expect((await stat(path)).mode & 0o777).toBe(0o750);
  });

  test("gives the permissions that are asked for", async () => {
    const path = join(await temporaryFolder(), "secret");
    await writeFile(path, "old", { mode: 0o644 });
    await writeAtomic(path, "new", { mode: 0o600 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("WS-56: replaces a link and never writes through it", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "outside"), "theirs");
    await symlink("outside", join(folder, "here"));
    await writeAtomic(join(folder, "here"), "mine");
    expect(await readFile(join(folder, "outside"), "utf8")).toBe("theirs");
    expect(await readFile(join(folder, "here"), "utf8")).toBe("mine");
  });

  test("gives another name of the same file no new content", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "a"), "old");
    await link(join(folder, "a"), join(folder, "b"));
    await writeAtomic(join(folder, "a"), "new");
    expect(await readFile(join(folder, "b"), "utf8")).toBe("old");
  });
});

describe("createExclusive", () => {
  test("creates a file that is not there", async () => {
    const folder = await temporaryFolder();
    expect(await createExclusive(join(folder, "id"), "first", { mode: 0o600 })).toBe(true);
    expect(await readFile(join(folder, "id"), "utf8")).toBe("first");
    expect(await readdir(folder)).toEqual(["id"]);
  });

  test("answers false and changes nothing when the file is there", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "id"), "first");
    expect(await createExclusive(join(folder, "id"), "second")).toBe(false);
    expect(await readFile(join(folder, "id"), "utf8")).toBe("first");
    expect(await readdir(folder)).toEqual(["id"]);
  });

  test("of many at once, one wins and its content is whole", async () => {
    const path = join(await temporaryFolder(), "id");
    const contents = Array.from({ length: 20 }, (_, i) => String(i).repeat(10_000));
    const won = await Promise.all(contents.map((content) => createExclusive(path, content)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await readFile(path, "utf8")).toBe(contents[won.indexOf(true)]);
  });
});

describe("what is left behind", () => {
  test("temporary files of dead processes are removed, those of living ones and all others stay", async () => {
    const folder = await temporaryFolder();
    // Beyond any system's largest process id.
    const dead = ".a.txt.4194999-0123456789ab.writ-tmp";
    const living = `.a.txt.${process.pid}-0123456789ab.writ-tmp`;
    for (const name of [dead, living, "mine.writ-tmp"]) await writeFile(join(folder, name), "");
    expect([dead, living, "mine.writ-tmp"].map(isTemporaryName)).toEqual([true, true, false]);
    expect(await removeTemporaries(folder)).toBe(1);
    expect((await readdir(folder)).sort()).toEqual([living, "mine.writ-tmp"].sort());
  });

  test("WS-98: a folder that cannot be made is refused at the place where the reason lies", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    await symlink(join(folder, "nowhere"), join(folder, "dangling"));
    for (const [path, named] of [
      ["file", "file"],
      ["file/a/b", "file"],
      ["dangling/a", "dangling"],
    ] as const) {
      const refused = makeFolder(join(folder, path));
      await expect(refused).rejects.toMatchObject({ code: "ENOTDIR", path: join(folder, named) });
    }
    expect(await makeFolder(join(folder, "a/b"))).toBe(join(folder, "a"));
    expect(await makeFolder(join(folder, "a/b"))).toBeUndefined();
  });

  test("empty parents go, up to the stop and no further than the first that is not empty", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "a/b/c"), { recursive: true });
    await writeFile(join(folder, "a/keep"), "");
    await removeEmptyParents(join(folder, "a/b/c/gone"), folder);
    expect(await readdir(join(folder, "a"))).toEqual(["keep"]);
    await mkdir(join(folder, "x/y"), { recursive: true });
    await removeEmptyParents(join(folder, "x/y/gone"), folder);
    expect(await readdir(folder)).toEqual(["a"]);
  });

  test("removing a tree removes links in it and not what they lead to", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "tree/sub"), { recursive: true });
    await mkdir(join(folder, "outside"));
    await writeFile(join(folder, "outside/kept"), "");
    await symlink("../../outside", join(folder, "tree/sub/link"));
    await removeTree(join(folder, "tree"));
    expect(await readdir(folder)).toEqual(["outside"]);
    expect(await readdir(join(folder, "outside"))).toEqual(["kept"]);
  });
});
