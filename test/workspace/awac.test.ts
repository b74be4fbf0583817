import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type FixtureF, makeFixtureF, makeWorkspaceW } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bootstrap } from "../support/workspace-runs.ts";

const context = `Ours, above everything.

<!-- @awac:header-start -->
# Workspace: demo
- core
<!-- @awac:header-end -->

<!-- @awac:editable-start -->
Ask before you deploy.
<!-- @awac:editable-end -->

Ours, below everything.
`;

/** A folder as the older tool leaves it: its lock, its copies, its context file, and what people added. */
function leftByAwac(f: FixtureF): { root: string; read: (path: string) => string } {
  const root = makeWorkspaceW(f);
  const files: Record<string, string> = {
    "workspace.lock.yml":
      `schema: awac/2\nresolved_at: 2026-01-01\nstacks:\n  - {repo: t/core, ref: main, commit: ${f.core.tip()}}\n` +
      `  - {repo: acme/agent-stack, ref: main, commit: ${f.acme.tip()}}\n`,
    ".agents/rules/r1.md": "RA\n",
    ".agents/rules/mine.md": "MINE\n",
    ".agents/workflows/w1.md": "# W1, but better\n",
    ".stack/acme/README.md": "<!-- copied 2026-01-01 -->\n",
    "CLAUDE.md": context,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, read: (path) => readFileSync(join(root, path), "utf8") };
}

test("WS-135, WS-136: a folder of the older tool goes on in Writ: pinned as it was, and nothing of the user's is lost", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const { root, read } = leftByAwac(f);
  const [core, declared] = [f.core.tip(), read("workspace.yml")];
  f.core.commit({ files: { "rules/later.md": "LATER\n" } });
  const { data, warned } = await bootstrap(f, root);
  expect(data.stacks.map(({ commit }) => commit)).toEqual([core, f.acme.tip()]);
  expect(warned).toContain("W_LOCK_UPGRADED");
  expect(read("workspace.lock.yml")).toMatch(/^(#.*\n)*schema: writ\/1$/m);
  expect(read("workspace.yml")).toBe(declared);
  expect(read(".agents/rules/mine.md")).toBe("MINE\n");
  expect(read(".agents/workflows/w1.md")).toBe("# W1, but better\n");
  // Nobody knows what the older tool wrote there, so the user decides.
  expect(data.conflicts).toMatchObject([
    { path: ".agents/workflows/w1.md", reason: "no_base" },
    { path: "CLAUDE.md", reason: "no_base" },
  ]);
  const notes = read("CLAUDE.md");
  for (const kept of ["Ours, above everything.", "Ask before you deploy.", "Ours, below everything."])
    expect(notes).toContain(kept);
  expect(notes).toContain("<!-- @awac:header-start -->");
  const again = await bootstrap(f, root);
  expect(again.data).toMatchObject({ changed: false });
  expect(again.warned).not.toContain("W_LOCK_UPGRADED");
});

test("WS-135: a stack without a declared branch follows its remote's default, whatever that is called", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  f.acme.git("branch", "-m", "main", "trunk");
  const { data } = await bootstrap(f, root);
  expect(data.stacks.map(({ ref }) => ref)).toEqual(["refs/heads/main", "refs/heads/trunk"]);
});

test("WS-135: an unknown key is refused with a hint, and one that begins with x- is the user's", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  const declare = (more: string) =>
    writeFileSync(join(root, "workspace.yml"), `name: demo\nschema: awac/2\nstacks: [core, acme]\n${more}`);
  declare("agent_contxt: {canonical: CLAUDE.md}\n");
  await expect(bootstrap(f, root)).rejects.toMatchObject({
    failure: { details: { problems: [{ hint: expect.stringContaining("agent_context") as string }] } },
  });
  declare("x-team: {anything: [goes]}\n");
  expect((await bootstrap(f, root)).data.changed).toBe(true);
});
