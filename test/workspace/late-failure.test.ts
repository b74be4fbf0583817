import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFixtureF, makeWorkspaceW } from "../fixtures/fixture-f.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { bootstrap, snapshot } from "../support/workspace-runs.ts";

test("WS-97: a run that fails after it has fetched says what, and that nothing changed; running again is enough", async () => {
  using temp = tempFolder();
  const f = makeFixtureF(temp.path);
  const root = makeWorkspaceW(f);
  await bootstrap(f, root);
  const rule = join(root, ".agents/rules/r1.md");
  writeFileSync(rule, "MINE\n");
  f.acme.commit({ files: { "rules/r1.md": "RB\n" } });
  const before = snapshot(root);
  await expect(bootstrap(f, root, { update: true, strict: true })).rejects.toMatchObject({
    code: "E_LOCAL_EDITS",
    failure: {
      details: {
        changed: false,
        fetched: ["t/core", "core", "acme", "api"],
        conflicts: [{ path: ".agents/rules/r1.md" }],
      },
    },
  });
  expect(snapshot(root)).toEqual(before);
  const { data } = await bootstrap(f, root, { update: true, theirs: ["."] });
  expect(data.changed).toBe(true);
  expect(readFileSync(rule, "utf8")).toBe("RB\n");
});
