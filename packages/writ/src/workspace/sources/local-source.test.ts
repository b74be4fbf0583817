import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Warning } from "../../contract/index.ts";
import { runGit } from "../../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { openTestGit } from "../../../../../test/fixtures/test-git.ts";
import { openCache } from "./cache.ts";
import { resolveSources, type Answer, type Asked } from "./resolve.ts";
import { openSourceTree } from "./source-tree.ts";

type Temp = ReturnType<typeof tempFolder>;

function makeWorkTree(temp: Temp): string {
  const folder = temp.file("stack");
  runGit(temp.path, ["init", "--quiet", folder]);
  mkdirSync(`${folder}/rules`);
  writeFileSync(`${folder}/rules/r1.md`, "committed\n");
  runGit(folder, ["add", "-A"]);
  runGit(folder, ["commit", "--quiet", "-m", "one"]);
  return folder;
}

async function resolveLocal(
  temp: Temp,
  more: Partial<Asked> = {},
): Promise<{ answer: Answer; warnings: Warning[] }> {
  const warnings: Warning[] = [];
  const cache = openCache({
    folder: temp.file("cache"),
    git: openTestGit(temp.path),
    lockWaitMs: 1_000,
    command: "test",
  });
  const [answer] = await resolveSources(
    [{ label: "../stack", kind: "stack", source: { kind: "path", path: "stack" }, want: "default", ...more }],
    {
      cache,
      base: "https://github.com",
      root: temp.path,
      offline: true,
      jobs: 1,
      warn: (warning) => warnings.push(warning),
    },
  );
  return { answer: answer as Answer, warnings };
}

async function contents(temp: Temp, answer: Answer, under: string[] = []): Promise<Record<string, string>> {
  const tree = await openSourceTree(openTestGit(temp.path), { answer, under });
  const found: Record<string, string> = {};
  const files = tree.files.filter((file) => file.mode.startsWith("100"));
  for await (const { file, bytes } of tree.read(files)) found[file.path] = bytes.toString();
  return found;
}

test("WS-34: a local work tree is read at HEAD from its objects, offline as well", async () => {
  using temp = tempFolder();
  const folder = makeWorkTree(temp);
  const { answer, warnings } = await resolveLocal(temp);
  expect(answer).toMatchObject({
    from: "path",
    ref: "refs/heads/main",
    commit: runGit(folder, ["rev-parse", "HEAD"]),
  });
  expect(await contents(temp, answer)).toEqual({ "rules/r1.md": "committed\n" });
  expect(warnings).toEqual([]);
});

test("WS-34: uncommitted changes are not used and give W_LOCAL_DIRTY; nothing is written there", async () => {
  using temp = tempFolder();
  const folder = makeWorkTree(temp);
  writeFileSync(`${folder}/rules/r1.md`, "edited\n");
  writeFileSync(`${folder}/rules/new.md`, "new\n");
  const before = readdirSync(folder, { recursive: true });
  const { answer, warnings } = await resolveLocal(temp);
  expect(await contents(temp, answer)).toEqual({ "rules/r1.md": "committed\n" });
  expect(warnings.map(({ code }) => code)).toEqual(["W_LOCAL_DIRTY"]);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

test("WS-34: a locked commit of a local work tree stays the answer until an update", async () => {
  using temp = tempFolder();
  const folder = makeWorkTree(temp);
  const first = runGit(folder, ["rev-parse", "HEAD"]);
  runGit(folder, ["commit", "--quiet", "--allow-empty", "-m", "two"]);
  const locked = { ref: "refs/heads/main", commit: first };
  expect((await resolveLocal(temp, { locked })).answer).toMatchObject({ commit: first, from: "lock" });
  expect((await resolveLocal(temp, { locked, update: true })).answer.commit).toBe(
    runGit(folder, ["rev-parse", "HEAD"]),
  );
});

test("WS-34: a linked work tree with a detached HEAD is read at that commit", async () => {
  using temp = tempFolder();
  const folder = makeWorkTree(temp);
  runGit(folder, ["worktree", "add", "--quiet", "--detach", temp.file("linked")]);
  const { answer } = await resolveLocal(temp, { source: { kind: "path", path: "linked" } });
  expect(answer.ref).toBeUndefined();
  expect(await contents(temp, answer)).toEqual({ "rules/r1.md": "committed\n" });
});

test("WS-34: a folder without git is read as it is, links skipped, and has no commit", async () => {
  using temp = tempFolder();
  mkdirSync(temp.file("stack", "rules"), { recursive: true });
  writeFileSync(temp.file("stack", "rules", "a.md"), "plain\n");
  writeFileSync(temp.file("stack", "rules", "run.sh"), "#!\n", { mode: 0o755 });
  writeFileSync(temp.file("stack", "other.txt"), "not asked\n");
  symlinkSync("/etc/passwd", temp.file("stack", "rules", "link.md"));
  const { answer } = await resolveLocal(temp);
  expect(answer).toEqual({ label: "../stack", url: temp.file("stack"), from: "path" });
  const tree = await openSourceTree(openTestGit(temp.path), { answer, under: ["rules"] });
  expect(tree.files.map(({ path, mode }) => [path, mode])).toEqual([
    ["rules/a.md", "100644"],
    ["rules/link.md", "120000"],
    ["rules/run.sh", "100755"],
  ]);
  expect(await contents(temp, answer, ["rules"])).toEqual({
    "rules/a.md": "plain\n",
    "rules/run.sh": "#!\n",
  });
});

test("WS-34: a missing folder and a work tree without commits are refused by name", async () => {
  using temp = tempFolder();
  await expect(resolveLocal(temp)).rejects.toMatchObject({ code: "E_REPO_NOT_FOUND" });
  runGit(temp.path, ["init", "--quiet", temp.file("stack")]);
  await expect(resolveLocal(temp)).rejects.toMatchObject({ code: "E_REF_NOT_FOUND" });
});

test("WS-34: a folder inside another work tree is a plain folder, not that work tree", async () => {
  using temp = tempFolder();
  const folder = makeWorkTree(temp);
  mkdirSync(`${folder}/inner/rules`, { recursive: true });
  writeFileSync(`${folder}/inner/rules/x.md`, "x\n");
  const { answer } = await resolveLocal(temp, { source: { kind: "path", path: "stack/inner" } });
  expect(answer.commit).toBeUndefined();
  expect(await contents(temp, answer)).toEqual({ "rules/x.md": "x\n" });
});

test.each([
  ["its configuration", (folder: string, filter: string) => appendFileSync(`${folder}/.git/config`, filter)],
  [
    "a file that its configuration includes",
    (folder: string, filter: string) => {
      writeFileSync(`${folder}/.git/more`, filter);
      appendFileSync(`${folder}/.git/config`, "[include]\n\tpath = more\n");
    },
  ],
])("WS-46: a filter that %s defines is not run to see whether the folder has changes", async (_, define) => {
  using temp = tempFolder();
  const folder = makeWorkTree(temp);
  const canary = temp.file("canary");
  writeFileSync(`${folder}/.git/info/attributes`, "* filter=own.er\n");
  define(
    folder,
    `[filter "own.er"]\n\tclean = touch ${canary}; cat\n\tprocess = touch ${canary}\n\trequired = true\n`,
  );
  writeFileSync(`${folder}/rules/r1.md`, "as long..\n");
  const { warnings } = await resolveLocal(temp);
  expect(warnings.map(({ code }) => code)).toEqual(["W_LOCAL_DIRTY"]);
  expect(existsSync(canary)).toBe(false);
  // What it is guarded against: git by itself runs it, where the size tells nothing.
  spawnSync("git", ["-C", folder, "status", "--porcelain"]);
  expect(existsSync(canary)).toBe(true);
});
