import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runGit } from "../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../test/fixtures/temp-folder.ts";
import { readTips } from "./git-tips.ts";

test("branches lead where git says, loose, packed and moved since", async () => {
  using temp = tempFolder();
  const origin = temp.file("origin");
  runGit(temp.path, ["init", "origin"]);
  runGit(origin, ["commit", "--allow-empty", "-m", "one"]);
  runGit(temp.path, ["clone", "--quiet", "origin", "repo"]);
  const repo = temp.file("repo");
  const git = (...args: string[]) => runGit(repo, args);
  const same = async () => {
    for (const kind of ["heads", "remotes"] as const) {
      const told = git("for-each-ref", "--format=%(objectname)", `refs/${kind}`).split("\n").filter(Boolean);
      expect([...((await readTips(repo, kind)) ?? [])].toSorted()).toEqual([...new Set(told)].toSorted());
    }
  };
  await same();
  git("branch", "topic/x");
  git("pack-refs", "--all");
  await same();
  git("commit", "--allow-empty", "-m", "two");
  git("tag", "v1");
  await same();
  expect((await readTips(repo, "heads"))?.size).toBe(2);
});

test("what only git can tell is left to it", async () => {
  using temp = tempFolder();
  runGit(temp.path, ["init"]);
  runGit(temp.path, ["commit", "--allow-empty", "-m", "one"]);
  expect((await readTips(temp.path, "heads"))?.size).toBe(1);
  runGit(temp.path, ["symbolic-ref", "refs/heads/alias", "refs/elsewhere/x"]);
  expect(await readTips(temp.path, "heads")).toBeUndefined();
  runGit(temp.path, ["symbolic-ref", "--delete", "refs/heads/alias"]);
  writeFileSync(temp.file(".git/refs/heads/empty"), "");
  expect(await readTips(temp.path, "heads")).toBeUndefined();
});
