import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHost, type FixtureHost, type FixtureRepo } from "../../../../test/fixtures/repositories.ts";
import { tempFolder } from "../../../../test/fixtures/temp-folder.ts";
import { openTestGit } from "../../../../test/fixtures/test-git.ts";
import { lsTree } from "./git-objects.ts";
import { lsTrees } from "./git-trees.ts";

const oidOf = (digit: string): string => digit.repeat(40);

/** Repositories with everything that a tree can hold, and one that holds nothing. */
function makeRepos(host: FixtureHost): { repo: FixtureRepo; commit: string }[] {
  const plain = host.repo("t/plain", { files: { "rules/a.md": "a", "README.md": "read" } });
  const odd = host.repo("t/odd");
  const commit = odd.commitTree([
    {
      name: "rules",
      entries: [
        { name: "a.b", content: "sorted before the folder" },
        { name: "a", entries: [{ name: "deep", entries: [{ name: "run", mode: "100755", content: "#!" }] }] },
        { name: "a-b", mode: "100664", content: "a mode of old" },
        { name: "link", mode: "120000", content: "/etc/passwd" },
        { name: "sub", mode: "160000", oid: oidOf("1") },
        { name: Buffer.from([0x66, 0xff]), content: "no UTF-8" },
        { name: "two\nlines", content: "name" },
        { name: "é", content: "two bytes" },
      ],
    },
    { name: "skills", mode: "160000", oid: oidOf("2") },
    { name: "other", content: "" },
  ]);
  const empty = host.repo("t/empty");
  const emptied = empty.commitTree([]);
  return [
    { repo: odd, commit },
    { repo: empty, commit: emptied },
    { repo: plain, commit: plain.tip() },
    { repo: odd, commit },
  ];
}

test.for([[], ["rules"], ["skills", "rules", "absent"], ["README.md"]].map((under) => ({ under })))(
  "WS-46: listed together, commits hold what they hold apart: below $under",
  async ({ under }) => {
    using temp = tempFolder();
    const repos = makeRepos(makeHost(temp.file("host")));
    const git = openTestGit(temp.path);
    const together = await lsTrees(git, {
      gitDir: repos[0]?.repo.folder ?? "",
      alternates: repos.slice(1).map(({ repo }) => join(repo.folder, "objects")),
      commits: repos.map(({ commit }) => commit),
      under,
    });
    const apart = await Promise.all(
      repos.map(({ repo, commit }) => lsTree(git, { gitDir: repo.folder, commit, under })),
    );
    expect(together).toEqual(apart);
  },
);

test("WS-46: what is missing or no commit is thrown, never listed as nothing", async () => {
  using temp = tempFolder();
  const repo = makeHost(temp.file("host")).repo("t/core", { files: { "rules/a.md": "a", "skills/b": "b" } });
  const git = openTestGit(temp.path);
  const at = (commit: string) => ({
    gitDir: repo.folder,
    alternates: [],
    commits: [repo.tip(), commit],
    under: ["rules"],
  });
  const object = (id: string): string => join(repo.folder, "objects", id.slice(0, 2), id.slice(2));
  await expect(lsTrees(git, at(oidOf("1")))).rejects.toThrow(/missing/);
  await expect(lsTrees(git, at(repo.git("rev-parse", "main:rules/a.md")))).rejects.toThrow(/missing/);
  const blob = repo.git("rev-parse", "main:rules/a.md");
  const tree = repo.git("rev-parse", "main:rules");
  rmSync(object(blob));
  await expect(lsTrees(git, at(repo.tip()))).rejects.toThrow(/no blob/);
  rmSync(object(tree));
  await expect(lsTrees(git, at(repo.tip()))).rejects.toThrow(/missing/);
});
