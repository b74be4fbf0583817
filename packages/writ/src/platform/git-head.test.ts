import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runGit } from "../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../test/fixtures/temp-folder.ts";
import { readGitHead } from "./git-head.ts";

test("what is checked out is read as git says it: loose, packed, detached and in a linked work tree", async () => {
  using temp = tempFolder();
  const repo = temp.file("repo");
  const git = (...args: string[]) => runGit(repo, args);
  runGit(temp.path, ["init", "repo"]);
  expect(await readGitHead(repo)).toEqual({ branch: "main" });
  git("commit", "--allow-empty", "-m", "one");
  const head = git("rev-parse", "HEAD");
  expect(await readGitHead(repo)).toEqual({ branch: "main", head });
  git("pack-refs", "--all");
  expect(await readGitHead(repo)).toEqual({ branch: "main", head });
  git("worktree", "add", "-b", "topic/x", "../tree");
  expect(await readGitHead(temp.file("tree"))).toEqual({ branch: "topic/x", head });
  git("checkout", "--detach");
  expect(await readGitHead(repo)).toEqual({ head });
  git("update-ref", "refs/review/1", head);
  git("symbolic-ref", "HEAD", "refs/review/1");
  expect(await readGitHead(repo)).toEqual({ head });
});

test("where there is no git, or HEAD is none, nothing is known", async () => {
  using temp = tempFolder();
  expect(await readGitHead(temp.path)).toEqual({});
  writeFileSync(join(temp.path, ".git"), "no pointer\n");
  expect(await readGitHead(temp.path)).toEqual({});
});
