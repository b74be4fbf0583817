import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { createRegistered } from "../../packages/writ/src/app/registered.ts";
import type { Part } from "../../packages/writ/src/contract/index.ts";
import { part as workspace } from "../../packages/writ/src/workspace/index.ts";
import { tempFolder } from "../fixtures/temp-folder.ts";
import { testContext } from "../support/context.ts";

const Settings = z.strictObject({ mode: z.enum(["calm", "keen"]).default("calm"), most: z.int().default(3) });

/** A part of Writ that owns the block `reasoning`, and a workspace that a call of it is about. */
function call(temp: { path: string; file(name: string): string }, manifest?: string) {
  let loads = 0;
  const owner: Part = {
    name: "owner",
    slots: {
      reasoning: async () => {
        loads += 1;
        return Settings;
      },
    },
  };
  const registered = createRegistered([workspace, owner]);
  const root = temp.file("w");
  mkdirSync(root, { recursive: true });
  if (manifest !== undefined) writeFileSync(join(root, "workspace.yml"), manifest);
  const context = testContext({ root });
  const ctx = { ...context, folders: { cache: temp.file("cache"), state: temp.file("state") }, registered };
  return { ctx, read: () => registered.block(ctx, "reasoning", Settings), loads: () => loads };
}

const writ = "name: x\nschema: writ/1\n";

test("WS-17: a part reads its own block by its own schema, with what the schema fills in", async () => {
  using temp = tempFolder();
  expect(await call(temp, `${writ}reasoning: {mode: keen}\n`).read()).toEqual({ mode: "keen", most: 3 });
  expect(await call(temp, writ).read()).toBeUndefined();
  const { ctx } = call(temp, `${writ}reasoning: {mode: keen}\n`);
  expect(await ctx.registered.block({ ...ctx, workspace: undefined }, "reasoning", Settings)).toBeUndefined();
});

test("WS-17: a block that its owner refuses is a problem of workspace.yml", async () => {
  using temp = tempFolder();
  await expect(call(temp, `${writ}reasoning:\n  mod: keen\n`).read()).rejects.toMatchObject({
    code: "E_INVALID_MANIFEST",
    failure: {
      details: {
        problems: [{ file: "workspace.yml", pointer: "/reasoning/mod", line: 4, kind: "unknown_key" }],
      },
    },
  });
});

test("WS-17: a reading that was kept costs no schema, and one of another Writ counts for nothing", async () => {
  using temp = tempFolder();
  const manifest = `${writ}reasoning: {mode: keen}\n`;
  await call(temp, manifest).read();
  const again = call(temp, manifest);
  expect(await again.read()).toEqual({ mode: "keen", most: 3 });
  expect(again.loads()).toBe(0);
  const other = call(temp, manifest);
  other.ctx.registered.version = "0.0.0-other";
  await other.read();
  expect(other.loads()).toBe(1);
});

test("WS-17: a kept block that the schema no longer allows is told as the problem it is", async () => {
  using temp = tempFolder();
  const manifest = `${writ}reasoning: {mode: keen}\n`;
  await call(temp, manifest).read();
  const folder = temp.file("cache/read");
  const kept = join(folder, readdirSync(folder)[0] ?? "");
  writeFileSync(kept, readFileSync(kept, "utf8").replace('"mode":"keen"', '"mode":"gone"'));
  // The file itself is right: whatever was kept instead of it is a defect, and is never taken for settings.
  await expect(call(temp, manifest).read()).rejects.toThrow("another schema");
  const bad = manifest.replace("keen", "gone");
  await expect(call(temp, bad).read()).rejects.toMatchObject({ code: "E_INVALID_MANIFEST" });
});

test("WS-17: a block has one owner", () => {
  const owner = (name: string): Part => ({ name, slots: { agents: async () => Settings } });
  expect(() => createRegistered([owner("one"), owner("two")])).toThrow("two is not the only owner of agents");
});
