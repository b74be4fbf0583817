import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRecordingGit } from "../../../../../test/fixtures/recording-git.ts";
import { makeHost, type FixtureFile } from "../../../../../test/fixtures/repositories.ts";
import { fixtureEnvironment } from "../../../../../test/fixtures/run-git.ts";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { openTestGit } from "../../../../../test/fixtures/test-git.ts";
import { openCache, type Cache } from "../sources/cache.ts";
import { openRead, readRest, type StackRead } from "./kept-stack.ts";
import { blobReader } from "./blob-reader.ts";
import type { OpenedStack } from "./stack-layer.ts";

const label = "core";
const files: Record<string, FixtureFile> = {
  "awac.yml": "product: core\n",
  "rules/r1.md": "---\ntrigger: always_on\n---\n# One\n",
  "rules/run.sh": { mode: "100755", content: "#!/bin/sh\n" },
  "rules/away": { mode: "120000", content: "/etc/passwd" },
  "skills/s/SKILL.md": "---\nname: s\n---\n# S\u200b\n",
};

/** A cached stack, and a reader of it that tells with which git commands it read. */
async function cached(folder: string) {
  const repo = makeHost(join(folder, "host")).repo("t/core", { files });
  const recorder = makeRecordingGit(join(folder, "bin"));
  const git = openTestGit(folder, { env: { ...fixtureEnvironment, PATH: recorder.path } });
  const cache = openCache({ folder: join(folder, "cache"), git, lockWaitMs: 1_000, command: "test" });
  await cache.fetch({ url: repo.url, label });
  const gitDir = cache.gitDir(repo.url);
  const answer = { label, url: repo.url, gitDir, commit: repo.tip(), from: "remote" as const };
  const calls = () =>
    recorder.calls().flatMap(({ args }) => args.filter((word) => /^(ls-tree|cat-file)$/.test(word)));
  const read = async (version = "1", as = label) => {
    const before = calls().length;
    const stack = await openRead({ git, cache }, { label: as, answer, version });
    const [read] = await readRest({ cache }, [stack], { bytes: 1_000_000 });
    return { ...stack, files: read, ran: calls().slice(before) };
  };
  return { cache, gitDir, kept: join(gitDir, "writ-read.json"), read };
}

async function bytesOf(cache: Cache, opened: OpenedStack): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const keys = [...opened.files.values()].map(({ oid = "" }) => oid);
  for await (const { key, bytes } of blobReader(cache, [opened])(opened.label, keys))
    found[key] = bytes.toString();
  return found;
}

test("WS-46: a commit that was read is read without git, with the same result, whatever the stack is called", async () => {
  using temp = tempFolder();
  const { read, cache } = await cached(temp.path);
  const first = await read();
  expect(first.ran).toEqual(["ls-tree", "cat-file"]);
  const second = await read("1", "other");
  expect(second.ran).toEqual([]);
  expect(second.files).toEqual(JSON.parse(JSON.stringify(first.files), revived));
  expect(second.opened.files).toEqual(first.opened.files);
  expect(second.opened.skipped).toEqual([{ path: "other:rules/away", reason: "link" }]);
  expect(await bytesOf(cache, second.opened)).toEqual(await bytesOf(cache, first.opened));
});

function revived(_key: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: string; data?: number[] };
  return type === "Buffer" && data ? Buffer.from(data) : value;
}

test("WS-46: another Writ, a damaged reading, and a repository that has lost a pack read the commit itself", async () => {
  using temp = tempFolder();
  const { read, kept, gitDir } = await cached(temp.path);
  await read();
  expect((await read("2")).ran).toHaveLength(2);
  writeFileSync(kept, "{");
  expect((await read("2")).ran).toHaveLength(2);
  expect((await read("2")).ran).toEqual([]);
  const packs = join(gitDir, "objects/pack");
  for (const name of readdirSync(packs)) rmSync(join(packs, name));
  await expect(read("2")).rejects.toMatchObject({ code: expect.any(String) });
});

test("WS-43: bytes that are not what was read of their commit are E_INTEGRITY before they are written", async () => {
  using temp = tempFolder();
  const { read, kept, cache } = await cached(temp.path);
  await read();
  writeFileSync(
    kept,
    readFileSync(kept, "utf8").replaceAll(/"sha256":"[0-9a-f]{64}"/g, `"sha256":"${"0".repeat(64)}"`),
  );
  const { opened } = await read();
  await expect(bytesOf(cache, opened)).rejects.toMatchObject({ code: "E_INTEGRITY" });
});

test("WS-46: many cached stacks are read with one process, each gets its own files, and a folder beside them", async () => {
  using temp = tempFolder();
  const host = makeHost(temp.file("host"));
  const recorder = makeRecordingGit(temp.file("bin"));
  const git = openTestGit(temp.path, { env: { ...fixtureEnvironment, PATH: recorder.path } });
  const cache = openCache({ folder: temp.file("cache"), git, lockWaitMs: 1_000, command: "test" });
  const opened: StackRead[] = [];
  for (const name of ["a", "b", "c"]) {
    const rules = { "rules/same.md": "# Same\n", "rules/own.md": `# ${name}\n` };
    const { url, tip } = host.repo(`t/${name}`, { files: rules });
    await cache.fetch({ url, label: name });
    const answer = { label: name, url, gitDir: cache.gitDir(url), commit: tip(), from: "remote" as const };
    opened.push(await openRead({ git, cache }, { label: name, answer, version: "1" }));
  }
  mkdirSync(temp.file("local/rules"), { recursive: true });
  writeFileSync(temp.file("local/rules/own.md"), "# local\n");
  const local = { label: "d", url: temp.file("local"), from: "path" as const };
  opened.push(await openRead({ git, cache }, { label: "d", answer: local, version: "1" }));
  const read = await readRest({ cache }, opened, { bytes: 0 });
  const names = read.map(({ assets }) => assets.map(({ path, facts }) => `${path}: ${facts?.description}`));
  const shared = "rules/same.md: Same";
  expect(names).toEqual([
    ["rules/own.md: a", shared],
    ["rules/own.md: b", shared],
    ["rules/own.md: c", shared],
    ["rules/own.md: local"],
  ]);
  const blobs = blobReader(
    cache,
    opened.map((one) => one.opened),
  );
  const wanted = new Map(
    opened.map(({ opened: { label: stack, files: own } }) => [
      stack,
      [...own.values()].map((f) => f.oid ?? f.path),
    ]),
  );
  const texts: string[] = [];
  for await (const { stack, bytes } of blobs.together(wanted))
    texts.push(`${stack} ${bytes.toString().trim()}`);
  expect(texts.toSorted()).toEqual(
    ["a # Same", "a # a", "b # Same", "b # b", "c # Same", "c # c", "d # local"].toSorted(),
  );
  expect(recorder.calls().filter(({ args }) => args.includes("--batch"))).toHaveLength(2);
});
