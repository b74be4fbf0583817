import { appendFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runGit } from "../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../test/fixtures/temp-folder.ts";
import { readRemotes } from "./git-remotes.ts";

test("remotes are read as git has them, also from a linked work tree", async () => {
  using temp = tempFolder();
  const repo = temp.file("repo");
  const git = (...args: string[]) => runGit(repo, args);
  runGit(temp.path, ["init", "repo"]);
  expect(await readRemotes(repo)).toEqual([]);
  git("remote", "add", "origin", "https://example.org/a.git");
  git("remote", "add", "one.two", "git@example.org:a/b c.git");
  git("remote", "set-url", "--add", "origin", "../else where");
  git("config", "branch.main.rebase", "true");
  git("commit", "--allow-empty", "-m", "one");
  git("worktree", "add", "../tree");
  const expected = [
    { name: "origin", url: "https://example.org/a.git" },
    { name: "origin", url: "../else where" },
    { name: "one.two", url: "git@example.org:a/b c.git" },
  ];
  expect(await readRemotes(repo)).toEqual(expected);
  expect(await readRemotes(temp.file("tree"))).toEqual(expected);
});

test.each([
  ["a comment on the line of a URL", '[remote "o"]\n\turl = a # b\n'],
  ["a quoted URL", '[remote "o"]\n\turl = "a b"\n'],
  ["a line that goes on", '[remote "o"]\n\turl = a\\\n  b\n'],
  ["another way to write the section", "[remote.o]\n\turl = a\n"],
  ["a value on the line of the section", '[remote "o"] url = a\n'],
  ["another section with a value on its line", "[core] bare = false\n"],
  ["a name with a backslash", '[REMOTE "o\\"p"]\n\turl = a\n'],
])("%s is left to git", async (_, text) => {
  using temp = tempFolder();
  runGit(temp.path, ["init"]);
  appendFileSync(temp.file(".git/config"), text);
  expect(await readRemotes(temp.path)).toBeUndefined();
});

test("where there is no repository there are no remotes", async () => {
  using temp = tempFolder();
  expect(await readRemotes(temp.path)).toEqual([]);
  writeFileSync(temp.file(".git"), "no pointer\n");
  expect(await readRemotes(temp.path)).toEqual([]);
});
