import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import diffCapability from "../../packages/writ/src/workspace/capabilities/diff.ts";
import { styleFor } from "../../packages/writ/src/surfaces/cli/render.ts";
import { bootstrap, contextFor, snapshot, sync } from "../support/workspace-runs.ts";

async function diff(f: Pick<FixtureF, "env">, root: string, input: Record<string, unknown> = {}) {
  const data = await diffCapability.run(contextFor(f, root), diffCapability.input.parse(input));
  return (await diffCapability.output()).parse(data);
}

test("WC-E6: with --update it lists exactly what the sync changes, with counts, patches and the log", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  f.acme.commit({ files: { "rules/r1.md": "RB\nmore\n" }, message: "Better rule" });
  f.core.commit({ files: { "workflows/new.md": "# New\n" }, remove: ["workflows/w1.md"] });
  const before = snapshot(root);
  const seen = await diff(f, root, { update: true, patch: true });
  expect(snapshot(root)).toEqual(before);
  expect(seen).toMatchObject({ against: "update", would_change: true });
  expect(seen.lock_changes.find(({ id }) => id === "acme")).toMatchObject({
    commits: 1,
    log: [{ subject: "Better rule" }],
  });
  expect(seen.changes.find(({ path }) => path === ".agents/rules/r1.md")).toMatchObject({
    action: "update",
    added: 2,
    removed: 1,
  });
  expect(seen.changes.find(({ path }) => path === ".agents/rules/r1.md")?.patch).toContain(
    "-RA\n+RB\n+more\n",
  );
  const { data } = await sync(f, root);
  expect(seen.changes.map(({ path, action }) => [path, action])).toEqual(
    data.changes.map(({ path, action }) => [path, action]),
  );
  expect(await diff(f, root)).toMatchObject({ changes: [], would_change: false, against: "lock" });
});

test("WS-81: with --local an edit within a generated region shows against what was composed, and notes do not", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  const path = join(root, "CLAUDE.md");
  const edited = readFileSync(path, "utf8")
    .replace("# Workspace: demo", "# Workspace: ours")
    .replace("<!-- @awac:editable-end -->", "A note\n<!-- @awac:editable-end -->");
  writeFileSync(path, edited);
  const { changes } = await diff(f, root, { local: true, patch: true });
  expect(changes).toMatchObject([{ path: "CLAUDE.md", action: "update", added: 1, removed: 1 }]);
  expect(changes[0]?.patch).toContain("-# Workspace: demo\n+# Workspace: ours\n");
});

test("WS-86: with --local it shows what the user changed, also a deletion", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  writeFileSync(join(root, ".agents/rules/r1.md"), "RA\nmine\n");
  rmSync(join(root, ".agents/workflows/w1.md"));
  const seen = await diff(f, root, { local: true, patch: true });
  expect(seen.changes.map(({ path, action, added, removed }) => [path, action, added, removed])).toEqual([
    [".agents/rules/r1.md", "update", 1, 0],
    [".agents/workflows/w1.md", "delete", 0, 1],
  ]);
  expect(seen.changes[0]?.patch).toContain("+mine");
  expect(readFileSync(join(root, ".agents/rules/r1.md"), "utf8")).toBe("RA\nmine\n");
});

test("WS-131: a path that is not composed is E_NOT_FOUND with the nearest", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  expect((await diff(f, root, { paths: [".agents/rules/"] })).changes).toEqual([]);
  await expect(diff(f, root, { paths: [".agents/rules/r2.md"] })).rejects.toMatchObject({
    code: "E_NOT_FOUND",
    failure: { details: { nearest: ".agents/rules/r1.md" } },
  });
});

test("WS-86: a file in conflict is shown as yours against the new text, and is no change of the next run", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  writeFileSync(join(root, ".agents/rules/r1.md"), "MINE\n");
  f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
  await sync(f, root);
  const seen = await diff(f, root, { paths: [".agents/rules/r1.md"], patch: true });
  expect(seen).toMatchObject({ changes: [], would_change: false });
  expect(seen.conflicts).toMatchObject([
    { path: ".agents/rules/r1.md", unmerged: "same_lines", added: 1, removed: 1 },
  ]);
  expect(seen.conflicts[0]?.patch).toContain("-MINE\n+RB\n");
  const shown = diffCapability.render?.(seen, styleFor(false)) ?? "";
  expect(shown).toContain("both sides changed the same lines");
  expect(shown).toContain("writ bootstrap --ours .agents/rules/r1.md");
  expect(shown).not.toMatch(/Nothing would change|--merge/);
});
