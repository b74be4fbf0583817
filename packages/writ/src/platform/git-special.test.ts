import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.fixture.ts";
import { createGit } from "./git.ts";
import { specialFile } from "./git-special.ts";

const fifo = (path: string) => execFileSync("mkfifo", [path]);

async function repository(): Promise<{ workTree: string; gitDir: string }> {
  const workTree = await temporaryFolder();
  const gitDir = join(workTree, ".git");
  await mkdir(join(gitDir, "refs", "heads"), { recursive: true });
  await mkdir(join(gitDir, "objects"));
  await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/main\n");
  return { workTree, gitDir };
}

test.for([
  ".git",
  ".git/HEAD",
  ".git/config",
  ".git/index",
  ".git/packed-refs",
  ".git/refs/heads/main",
  ".gitignore",
])("a pipe at %s is found before git would wait for it", async (place) => {
  const at = await repository();
  expect(await specialFile(at)).toBeUndefined();
  await rm(join(at.workTree, place), { recursive: true, force: true });
  fifo(join(at.workTree, place));
  expect(await specialFile(at)).toBe(place.replace(/^\.git\//, ""));
});

test("behind the file of a linked work tree a pipe is found too", async () => {
  const [linked, { gitDir }] = [await temporaryFolder(), await repository()];
  await writeFile(join(linked, ".git"), `gitdir: ${gitDir}\n`);
  const at = { gitDir: join(linked, ".git"), workTree: linked };
  expect(await specialFile(at)).toBeUndefined();
  fifo(join(gitDir, "index"));
  expect(await specialFile(at)).toBe("index");
});

test("git is not started on such a repository, which counts as none", async () => {
  const at = await repository();
  await rm(join(at.gitDir, "HEAD"));
  fifo(join(at.gitDir, "HEAD"));
  const hooksDir = join(await temporaryFolder(), "hooks");
  const git = createGit({ env: process.env, hooksDir, protocols: [], networkTimeoutMs: 1 });
  expect(await git.run(["status"], at)).toMatchObject({ code: 128, stderr: expect.stringContaining("HEAD") });
  const refused = { failure: { cause: expect.stringContaining("HEAD is a special file") } };
  await expect(git.ok(["status"], at)).rejects.toMatchObject(refused);
  const batch = git.start(["cat-file", "--batch"], { ...at, input: new Uint8Array() });
  await expect(batch).rejects.toMatchObject(refused);
});
