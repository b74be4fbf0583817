import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.fixture.ts";
import { allowsLinks, inspectTarget, requireNoLinks } from "./links.ts";

test("WS-56: a link in any parent is E_UNSAFE_LINK, wherever it leads and however deep it stands", async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, "real/deep"), { recursive: true });
  await symlink("real", join(root, "inside"));
  await symlink("/", join(root, "real/deep/outside"));
  await symlink("nowhere", join(root, "broken"));
  for (const path of ["inside/x", "inside/deep/x", "real/deep/outside/tmp/x", "broken/x"]) {
    await expect(requireNoLinks(root, path)).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
    await expect(inspectTarget(root, path)).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
  }
});

test("WS-56: a link or special file at the target is E_UNSAFE_LINK that names it", async () => {
  const root = await temporaryFolder();
  await symlink("/etc/passwd", join(root, "CLAUDE.md"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  for (const path of ["CLAUDE.md", "pipe"]) {
    const refused = requireNoLinks(root, path);
    await expect(refused).rejects.toMatchObject({ code: "E_UNSAFE_LINK", failure: { details: { path } } });
  }
});

test("WS-56: files, folders and what is not there yet are let through", async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, "a"));
  await writeFile(join(root, "a/file"), "");
  for (const path of ["a", "a/file", "a/new", "b/c/d"])
    await expect(requireNoLinks(root, path)).resolves.toBeUndefined();
});

test("WS-56: a link at the target is reported with what it says, so that Writ's own can be told", async () => {
  const root = await temporaryFolder();
  await symlink("AGENTS.md", join(root, "CLAUDE.md"));
  await writeFile(join(root, "file"), "");
  expect(await inspectTarget(root, "CLAUDE.md")).toEqual({ kind: "link", to: "AGENTS.md" });
  expect(await inspectTarget(root, "file")).toMatchObject({ kind: "file" });
  expect(await inspectTarget(root, "file/below")).toEqual({ kind: "blocked", by: "file" });
  expect(await inspectTarget(root, "none")).toEqual({ kind: "absent" });
});

test("CT-12: the root itself may be reached through a link, and no error tells where it lies", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "real"));
  await symlink("real", join(folder, "root"));
  await symlink("/", join(folder, "real/out"));
  await expect(requireNoLinks(join(folder, "root"), "a/b")).resolves.toBeUndefined();
  const error = await requireNoLinks(join(folder, "root"), "out/x").catch((thrown: unknown) => thrown);
  expect(JSON.stringify((error as { toObject(): unknown }).toObject())).not.toContain(folder);
});

test.each(["", "/etc", "../x", "a/../b", "a//b", "./a", "a/", "a\0b"])(
  "the path %j is E_UNSAFE_PATH",
  async (path) => {
    const root = await temporaryFolder();
    await writeFile(join(root, "kept"), "kept");
    await expect(inspectTarget(root, path)).rejects.toMatchObject({ code: "E_UNSAFE_PATH" });
    expect(await readFile(join(root, "kept"), "utf8")).toBe("kept");
  },
);

test("WS-82: whether links can be made is found out by making one, and nothing stays behind", async () => {
  const folder = await temporaryFolder();
  expect(await allowsLinks(folder)).toBe(true);
  const refusing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  for (const code of ["EPERM", "ENOSYS", "ENOTSUP"])
    expect(await allowsLinks(folder, refusing(code))).toBe(false);
  await expect(allowsLinks(folder, refusing("EIO"))).rejects.toMatchObject({ code: "EIO" });
  expect(await readdir(folder)).toEqual([]);
});
