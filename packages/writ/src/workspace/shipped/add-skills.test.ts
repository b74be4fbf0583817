import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { testContext } from "../../../../../test/support/context.ts";
import { addSkills, type AddSkills } from "./add-skills.ts";
import { hashOfTree } from "./shipped-skills.ts";

const plain: AddSkills = { names: [], provider: "agents", scope: "project", force: false };

test("WS-128: what an earlier Writ shipped is brought up to date, without a backup", async () => {
  using temp = tempFolder();
  const folder = temp.file(".agents", "skills", "writ");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/SKILL.md`, "as an earlier version had it");
  const earlier = { writ: [(await hashOfTree(folder)) ?? ""] };
  const ctx = testContext({ root: temp.path });
  const { installed, changed } = await addSkills(ctx, plain, earlier);
  expect({ installed, changed }).toMatchObject({
    changed: true,
    installed: [{ action: "updated", path: ".agents/skills/writ" }],
  });
  expect(installed[0]).not.toHaveProperty("backup");
  expect(readFileSync(`${folder}/SKILL.md`, "utf8")).toContain("name: writ");
  expect((await addSkills(ctx, plain, earlier)).changed).toBe(false);
});

test("WS-128: a second replaced copy gets the next free backup name", async () => {
  using temp = tempFolder();
  const ctx = testContext({ root: temp.path });
  for (const n of [1, 2]) {
    mkdirSync(temp.file(".agents", "skills", "writ"), { recursive: true });
    writeFileSync(temp.file(".agents", "skills", "writ", "extra.md"), `mine ${n}`);
    const { installed } = await addSkills(ctx, { ...plain, force: true });
    expect(installed[0]?.backup).toBe(`.agents/skills/writ.bak-${n}`);
    expect(readFileSync(temp.file(".agents", "skills", `writ.bak-${n}`, "extra.md"), "utf8")).toBe(
      `mine ${n}`,
    );
  }
});

test("WS-2: a caller that is not at the terminal installs below the served folder only", async () => {
  using temp = tempFolder();
  using outside = tempFolder();
  symlinkSync(outside.path, temp.file("link"));
  const far = { ...testContext({ root: temp.path }), local: false };
  for (const target of ["..", outside.path, "link"]) {
    await expect(addSkills(far, { ...plain, target })).rejects.toMatchObject({ code: "E_UNSAFE_PATH" });
  }
  await expect(addSkills(far, { ...plain, scope: "user" })).rejects.toMatchObject({ code: "E_UNSAFE_PATH" });
  expect(existsSync(`${outside.path}/.agents`)).toBe(false);
  expect((await addSkills(far, plain)).changed).toBe(true);
});
