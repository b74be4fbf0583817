import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import statusCapability from "../../packages/writ/src/workspace/capabilities/status.ts";
import { bootstrap, codes, contextFor, snapshot, sync } from "../support/workspace-runs.ts";

async function composed(
  folder: string,
): Promise<{ f: FixtureF; root: string; at: (path: string) => string }> {
  const f = makeFixtureF(folder);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  return { f, root, at: (path) => join(root, path) };
}

async function status(f: Pick<FixtureF, "env">, root: string, input: Record<string, unknown> = {}) {
  const ctx = contextFor(f, root);
  const data = await statusCapability.run(ctx, (await statusCapability.input()).parse(input));
  return { data: (await statusCapability.output()).parse(data), warned: codes(ctx) };
}

test("WS-36: a folder stack is in sync while its content is what the lock holds", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  const rule = join(root, "mine/rules/own.md");
  mkdirSync(join(root, "mine/rules"), { recursive: true });
  writeFileSync(rule, "OWN\n");
  writeFileSync(join(root, "mine/awac.yml"), "product: mine\n");
  writeFileSync(join(root, "workspace.yml"), "name: demo\nschema: writ/1\nstacks: [{path: mine}]\n");
  await bootstrap(f, root);
  expect((await status(f, root)).data).toMatchObject({
    stacks: [{ label: "mine", lockfile_commit: null, in_sync: true }],
    summary: { in_sync: true },
  });
  // The second time it is told from what was kept of the first reading, and alike.
  expect((await status(f, root)).data.stacks).toMatchObject([{ in_sync: true, upstream_known: "fetched" }]);
  const manifest = join(root, "mine/awac.yml");
  for (const [text, found] of [
    ["product: [", { in_sync: false, upstream_known: "unknown" }],
    ["scope: It has no product any more.\n", { in_sync: false, upstream_known: "fetched" }],
    ["product: other\n", { in_sync: false, upstream_known: "fetched" }],
    ["product: mine\n", { in_sync: true, upstream_known: "fetched" }],
  ] as const) {
    writeFileSync(manifest, text);
    expect((await status(f, root)).data.stacks, text).toMatchObject([found]);
  }
  appendFileSync(rule, "More.\n");
  expect((await status(f, root)).data).toMatchObject({ stacks: [{ in_sync: false }], next: ["writ sync"] });
  rmSync(join(root, "mine"), { recursive: true });
  expect((await status(f, root)).data.stacks).toMatchObject([{ in_sync: false, upstream_known: "unknown" }]);
});

describe("status", () => {
  test("WC-H1, WS-118: every kind of drift is told, and only what is a fault is counted as one", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    const read = (path: string) => readFileSync(at(path), "utf8");
    expect((await status(f, root)).data.summary).toMatchObject({ in_sync: true, files_drift_count: 0 });
    rmSync(at(".agents/workflows/w1.md"));
    writeFileSync(at(".agents/rules/r1.md"), "MINE\n");
    writeFileSync(at(".agents/rules/extra.md"), "EXTRA\n");
    const start = "<!-- @awac:editable-start -->\n";
    writeFileSync(at("AGENTS.md"), read("AGENTS.md").replace(start, `${start}note\n`));
    writeFileSync(at("CLAUDE.md"), read("CLAUDE.md").replace("# Workspace", "# My workspace"));
    appendFileSync(at(".stack/acme/deploy.yml"), "# mine\n");
    const { data } = await status(f, root);
    expect(data.files_drift.map(({ path, kind }) => [path, kind])).toEqual([
      [".agents/rules/extra.md", "extra"],
      [".agents/rules/r1.md", "edited"],
      [".agents/workflows/w1.md", "missing"],
      [".stack/acme/deploy.yml", "metadata_edited"],
      ["AGENTS.md", "mirror_edited"],
      ["CLAUDE.md", "generated_edited"],
    ]);
    expect(data.summary).toMatchObject({ in_sync: false, files_drift_count: 5, extras: 1, conflicts: 0 });
    await expect(status(f, root, { exit_code: true })).rejects.toMatchObject({
      code: "E_DRIFT",
      failure: { data },
    });
  });

  test("WC-H2, WS-117: with --fetch a stack is counted behind, and ahead after a rewind", async () => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    const before = f.core.tip();
    for (const name of ["a", "b", "c"]) f.core.commit({ files: { [`rules/${name}.md`]: name } });
    expect((await status(f, root)).data.stacks[0]).toMatchObject({ in_sync: true, upstream_known: "cached" });
    const tree = snapshot(root);
    const fetched = await status(f, root, { fetch: true });
    expect(fetched.data.stacks[0]).toMatchObject({
      behind: 3,
      ahead: 0,
      in_sync: false,
      upstream_known: "fetched",
    });
    expect(fetched.data.next).toContain("writ sync");
    expect(snapshot(root)).toEqual(tree);
    await sync(f, root);
    f.core.git("update-ref", "refs/heads/main", `${f.core.tip()}~1`);
    expect((await status(f, root, { fetch: true })).data.stacks[0]).toMatchObject({ behind: 0, ahead: 1 });
    expect(before).not.toBe(f.core.tip());
  });

  test("WC-H3, WS-118: another workspace's sync moves the cache and is no drift here", async () => {
    using temp = tempFolder();
    const { f, root } = await composed(temp.path);
    const other = makeWorkspaceW(f, "other");
    await bootstrap(f, other);
    f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
    await sync(f, other);
    const { data } = await status(f, root);
    expect(data.files_drift).toEqual([]);
    expect(data.stacks[1]).toMatchObject({ label: "acme", behind: 1, in_sync: false });
  });

  test("WC-H4, WC-H5, WS-119: repositories are read without a write to their .git", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    for (const repo of [f.core, f.acme, f.api]) repo.moveAway();
    const before = snapshot(at("api/.git"));
    expect((await status(f, root)).data.repos[0]).toMatchObject({
      exists: true,
      right_remote: true,
      matches_lock: true,
      behind: 0,
    });
    writeFileSync(at("api/README.md"), "edited\n");
    const { data } = await status(f, root);
    expect(data.repos[0]).toMatchObject({ modified: ["README.md"], modified_count: 1, matches_lock: false });
    expect(snapshot(at("api/.git"))).toEqual(before);
    rmSync(at("api"), { recursive: true });
    expect((await status(f, root)).data.repos[0]).toMatchObject({ exists: false, matches_lock: false });
  });

  test("WS-111: without a lock it answers, and names the command that makes one", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    const { data } = await status(f, root);
    expect(data).toMatchObject({ has_lock: false, next: ["writ bootstrap"] });
    expect(existsSync(join(root, ".writ"))).toBe(false);
  });

  test("WS-118: a lock newer than the composition, a conflict and what its source dropped are told", async () => {
    using temp = tempFolder();
    const { f, root, at } = await composed(temp.path);
    f.acme.commit({ files: { "rules/r2.md": "R2\n", "rules/r3.md": "R3\n" } });
    await sync(f, root);
    writeFileSync(at(".agents/rules/r2.md"), "MINE\n");
    writeFileSync(at(".agents/rules/r3.md"), "MINE\n");
    f.acme.commit({ files: { "rules/r2.md": "R2B\n" }, remove: ["rules/r3.md"] });
    await sync(f, root);
    const kinds = (await status(f, root)).data.files_drift.map(({ path, kind }) => [path, kind]);
    expect(kinds).toEqual([
      [".agents/rules/r2.md", "conflict"],
      [".agents/rules/r3.md", "orphan_edited"],
    ]);
    appendFileSync(at("workspace.lock.yml"), "# a teammate's\n");
    expect((await status(f, root)).data.files_drift.at(-1)).toEqual({
      path: "workspace.lock.yml",
      kind: "not_applied",
    });
  });

  test("WS-56: a context file that is a link to another one is left alone and told as linked", async () => {
    using temp = tempFolder();
    const f = makeFixtureF(temp.path);
    const root = makeWorkspaceW(f);
    symlinkSync("CLAUDE.md", join(root, "AGENTS.md"));
    mkdirSync(join(root, ".claude"));
    symlinkSync("../.agents/skills", join(root, ".claude/skills"));
    const { data } = await bootstrap(f, root);
    expect(data.agent_files.linked).toEqual(["AGENTS.md", ".claude/skills"]);
    expect((await bootstrap(f, root)).data.changed).toBe(false);
    const told = await status(f, root);
    expect(told.data.files_drift.map(({ kind }) => kind)).toEqual(["linked", "linked"]);
    expect(told.data.summary.in_sync).toBe(true);
  });
});

test("WS-88: status offers a side of a conflict that no merge can end, and how to see both", async () => {
  using temp = tempFolder();
  const { f, root, at } = await composed(temp.path);
  writeFileSync(at(".agents/rules/r1.md"), "MINE\n");
  f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
  await sync(f, root);
  expect((await status(f, root)).data.next).toEqual([
    "writ diff .agents/rules/r1.md --patch",
    "writ bootstrap --theirs .agents/rules/r1.md",
    "writ bootstrap --ours .agents/rules/r1.md",
  ]);
});

test("WS-131: E_DRIFT counts only what differs, in words that agree", async () => {
  using temp = tempFolder();
  const { f, root, at } = await composed(temp.path);
  writeFileSync(at(".agents/rules/r1.md"), "MINE\n");
  await expect(status(f, root, { exit_code: true })).rejects.toMatchObject({
    code: "E_DRIFT",
    failure: { cause: "1 file differs." },
  });
});
