import { appendFileSync, existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainRequest } from "../../packages/writ/src/workspace/gather/request.ts";
import { runWorkspace } from "../../packages/writ/src/workspace/run/run.ts";
import { noFault } from "../../packages/writ/src/workspace/swap/faults.ts";
import { makeFixtureF, makeWorkspaceW } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bootstrap, contextFor, snapshot } from "../support/workspace-runs.ts";

test("WS-82: where links are refused a skill is copied, and the copy is kept like any file of Writ's", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  const run = (more = {}) =>
    runWorkspace(contextFor(f, root), plainRequest({ command: "test", ...more }), {
      fault: noFault,
      allowsLinks: async () => false,
    });
  const copy = join(root, ".claude/skills/s1/SKILL.md");
  const first = await run();
  expect(first.changes.map(({ path }) => path)).toContain(".claude/skills/s1/SKILL.md");
  expect(lstatSync(join(root, ".claude/skills/s1")).isDirectory()).toBe(true);
  expect(readFileSync(copy)).toEqual(readFileSync(join(root, ".agents/skills/s1/SKILL.md")));

  const before = snapshot(root);
  expect(await run()).toMatchObject({ changed: false });
  // Also where links could be made by now: a folder of files is not replaced by a link.
  expect((await bootstrap(f, root)).data).toMatchObject({ changed: false });
  expect(snapshot(root)).toEqual(before);

  f.core.commit({ files: { "skills/s1/more.md": "More\n" } });
  await run({ update: true });
  expect(readFileSync(join(root, ".claude/skills/s1/more.md"), "utf8")).toBe("More\n");
  appendFileSync(copy, "mine\n");
  f.core.commit({ files: { "skills/s1/SKILL.md": "---\nname: s1\ndescription: New.\n---\n" } });
  const { conflicts } = await run({ update: true });
  expect(conflicts.map(({ path }) => path)).toEqual([".claude/skills/s1/SKILL.md"]);
  expect(readFileSync(copy, "utf8")).toMatch(/mine\n$/);

  f.core.commit({ remove: ["skills/s1/more.md"] });
  await run({ update: true });
  expect(existsSync(join(root, ".claude/skills/s1/more.md"))).toBe(false);
});
