import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW, type FixtureF } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { fileLedger } from "../support/context.ts";
import statusCapability from "../../packages/writ/src/workspace/capabilities/status.ts";
import { bootstrap, contextFor, snapshot } from "../support/workspace-runs.ts";

const entry = join(import.meta.dirname, "../entry/crash.ts");

/** Runs an update that is killed at a moment; answers whether it came that far. */
function killedAt({ f, root }: { f: FixtureF; root: string }, moment: string, nth: number): boolean {
  const args = [entry, root, join(f.folder, "ledger"), moment, String(nth), '{"update":true}'];
  const ran = spawnSync(process.execPath, args, { env: f.env, encoding: "utf8" });
  if (ran.signal !== "SIGKILL" && ran.status !== 0) throw new Error(ran.stderr);
  return ran.signal === "SIGKILL";
}

/** What the user sees, without Writ's own state. */
function tree(root: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(snapshot(root, { times: false })).filter(([path]) => !path.startsWith(".writ/")),
  );
}

const note = "<!-- @awac:editable-start -->\n";

/** W with notes and an edit, and an update that creates, replaces, deletes, links, clones and moves. */
async function prepared(folder: string, name: string): Promise<{ f: FixtureF; root: string }> {
  const f = makeFixtureF(join(folder, name));
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  writeFileSync(join(root, ".agents/workflows/w1.md"), "MINE\n");
  writeFileSync(
    join(root, "CLAUDE.md"),
    readFileSync(join(root, "CLAUDE.md"), "utf8").replace(note, `${note}my note\n`),
  );
  f.host.repo("acme/web", { files: { "index.html": "hi\n" } });
  f.core.commit({
    files: { "workflows/w1.md": "# W2\n", "skills/s2/SKILL.md": "x\n" },
    remove: ["skills/s1/SKILL.md"],
  });
  f.acme.commit({
    files: { "awac.yml": "product: acme\nrepos:\n  - name: api\n  - name: web\n", "rules/r1.md": "RB\n" },
  });
  f.api.commit({ files: { "b.txt": "b\n" } });
  return { f, root };
}

/** The tree that the update makes when nobody disturbs it. */
async function expectedTree(folder: string): Promise<Record<string, string>> {
  const { f, root } = await prepared(folder, "whole");
  await bootstrap(f, root, { update: true });
  return visible(tree(root));
}

// Of a clone, its files; what git keeps besides holds times of its own.
function visible(found: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(found).filter(([path]) => !path.includes("/.git/")));
}

describe("a run that is killed", () => {
  test.for(["a", "b", "e", "f"])(
    "WS-93, WC-G1: before its commit, at (%s), it leaves the workspace as it was",
    async (moment) => {
      using temp = tempFolder();
      const { f, root } = await prepared(temp.path, "k");
      const before = tree(root);
      expect(killedAt({ f, root }, moment, 1)).toBe(true);
      expect(tree(root)).toEqual(before);
      const { data } = await bootstrap(f, root, { update: true });
      expect(data.changed).toBe(true);
      expect(existsSync(join(root, ".writ/workspace/staging"))).toBe(false);
    },
  );

  test.for(["g", "i", "j"])(
    "WS-92, WS-94, WC-G1: after its commit, at (%s), the next run completes it",
    async (moment) => {
      using temp = tempFolder();
      const expected = await expectedTree(temp.path);
      await completes(temp.path, { moment, nth: 1, expected });
    },
  );

  test("WS-94, WC-G1: between any two renames the next run completes it, with one event and every edit intact", async () => {
    using temp = tempFolder();
    const expected = await expectedTree(temp.path);
    let nth = 1;
    while (await completes(temp.path, { moment: "h", nth, expected })) nth += 3;
    expect(nth).toBeGreaterThan(9);
  }, 240_000);
});

/** Kills an update, looks at what stands, and lets the next run complete it; false when it was never killed. */
async function completes(
  folder: string,
  { moment, nth, expected }: { moment: string; nth: number; expected: Record<string, string> },
): Promise<boolean> {
  const { f, root } = await prepared(folder, `${moment}${String(nth)}`);
  const old = visible(tree(root));
  if (!killedAt({ f, root }, moment, nth)) return false;
  for (const [path, found] of Object.entries(visible(tree(root)))) {
    expect([old[path], expected[path]], `${path} is whole`).toContain(found);
  }
  const ctx = contextFor(f, root);
  const status = (await statusCapability.output()).parse(
    await statusCapability.run(ctx, (await statusCapability.input()).parse({})),
  );
  const pending = moment !== "j";
  expect(status.pending_swap).toBe(pending);
  const ledger = fileLedger(join(f.folder, "ledger"));
  const { data } = await bootstrap(f, root, {}, { ledger });
  expect(data.changed).toBe(false);
  expect(visible(tree(root))).toEqual(expected);
  expect(ledger.events()).toHaveLength(1);
  expect(readFileSync(join(root, "AGENTS.md"), "utf8")).toContain("my note");
  expect(readFileSync(join(root, ".agents/workflows/w1.md"), "utf8")).toBe("MINE\n");
  for (const left of ["journal.json", "staging", "run.lock"])
    expect(existsSync(join(root, ".writ/workspace", left))).toBe(false);
  return true;
}
