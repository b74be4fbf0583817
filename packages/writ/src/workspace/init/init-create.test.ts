import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { testContext } from "../../../../../test/support/context.ts";
import { createWorkspace, findExisting, type NewWorkspace } from "./init-create.ts";
import { initFiles } from "./init-store.ts";
import { shippedFolder } from "../shipped/shipped-folder.ts";

const text = "name: shop\nschema: writ/1\nstacks:\n  - path: stack\n";

function newWorkspace(root: string): NewWorkspace {
  const { act, clock, ids } = testContext({ root });
  const event = {
    act,
    capability: "workspace.init",
    actor: "user:test",
    at: "2026-11-30T12:00:00.000Z",
    fact: {},
  };
  const folders = { stack: join(shippedFolder("templates"), "example-stack") };
  return { name: "shop", text, folders, event, clock, ids };
}

const died = new Error("the process would have died here");
const points = ["identity", "copied", "noted", "staged"];

/** At each point: nothing of the workspace stands at its place, or all of it does. */
function isWhole(root: string): boolean {
  if (!existsSync(join(root, "workspace.yml"))) return false;
  expect(readFileSync(join(root, "workspace.yml"), "utf8")).toBe(text);
  expect(existsSync(join(root, ".writ/workspace.json"))).toBe(true);
  expect(existsSync(join(root, "stack/workflows/fix-a-bug.md"))).toBe(true);
  return true;
}

test("WS-114: a new folder appears whole by one rename, so that a crash leaves nothing or a workspace", async () => {
  using temp = tempFolder();
  const root = temp.file("a", "b", "shop");
  const seen: [string, boolean][] = [];
  await createWorkspace(root, newWorkspace(root), (point) => {
    const there = existsSync(temp.file("a"));
    expect(there).toBe(isWhole(root));
    seen.push([point, there]);
  });
  expect(seen).toEqual([...points.map((point) => [point, false]), ["made", true]]);
  expect(readdirSync(temp.path)).toEqual(["a"]);
});

test("WS-114: in a folder that is there workspace.yml comes last, with all it needs before it", async () => {
  using temp = tempFolder();
  const seen: [string, boolean][] = [];
  await createWorkspace(
    temp.path,
    newWorkspace(temp.path),
    (point) => void seen.push([point, isWhole(temp.path)]),
  );
  expect(seen).toEqual([
    ["identity", false],
    ["copied", false],
    ["noted", false],
    ["made", true],
  ]);
});

test.each(points)("WS-114: a failure at %s leaves no folder behind", async (where) => {
  using temp = tempFolder();
  const root = temp.file("new", "shop");
  const failing = (point: string): void => {
    if (point === where) throw died;
  };
  await expect(createWorkspace(root, newWorkspace(root), failing)).rejects.toThrow(died.message);
  expect(readdirSync(temp.path)).toEqual([]);
  if (where === "staged") return;
  mkdirSync(temp.file("old"));
  writeFileSync(temp.file("old", "mine.txt"), "mine");
  await expect(createWorkspace(temp.file("old"), newWorkspace(temp.file("old")), failing)).rejects.toThrow(
    died.message,
  );
  expect(readdirSync(temp.file("old"))).toEqual(["mine.txt"]);
});

test("WS-114: of many that make the same workspace at once, one does and none fails", async () => {
  using temp = tempFolder();
  const root = temp.file("shop");
  const made = await Promise.all(Array.from({ length: 8 }, () => createWorkspace(root, newWorkspace(root))));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(isWhole(root)).toBe(true);
  expect(readdirSync(temp.path)).toEqual(["shop"]);
});

test("WS-114: one that loses to another workspace is refused and leaves the other whole", async () => {
  using temp = tempFolder();
  const root = temp.file("shop");
  const beaten = createWorkspace(root, newWorkspace(root), (point) => {
    if (point !== "staged") return;
    mkdirSync(root);
    writeFileSync(join(root, "workspace.yml"), "name: theirs\n");
  });
  await expect(beaten).rejects.toMatchObject({ code: "E_EXISTS" });
  expect(readdirSync(root)).toEqual(["workspace.yml"]);
  expect(readFileSync(join(root, "workspace.yml"), "utf8")).toBe("name: theirs\n");
});

test("WS-114: a folder of the user's is not mixed with a shipped one, and an equal one is taken as it is", async () => {
  using temp = tempFolder();
  mkdirSync(temp.file("stack"));
  writeFileSync(temp.file("stack", "mine.md"), "mine");
  await expect(createWorkspace(temp.path, newWorkspace(temp.path))).rejects.toMatchObject({
    code: "E_EXISTS",
  });
  expect(readdirSync(temp.path)).toEqual(["stack"]);

  using other = tempFolder();
  let crashed = false;
  // A process that died after the copy left an equal folder: the next one goes on with it.
  await createWorkspace(other.path, newWorkspace(other.path), (point) => {
    if (point === "copied" && !crashed) crashed = true;
  });
  await expect(findExisting(other.path, text)).resolves.toBe("same");
});

test("AG-158: the act is owed from the moment its file stands, and not before", async () => {
  using temp = tempFolder();
  const made = newWorkspace(temp.path);
  const owed: Record<string, number> = {};
  await createWorkspace(temp.path, made, async (point) => {
    owed[point] = (await initFiles.owed(temp.path)).length;
  });
  expect(owed).toEqual({ identity: 0, copied: 0, noted: 0, made: 1 });
  expect(await initFiles.find(temp.path, made.event.act)).toBe(true);
  // The user goes on writing the file; what is owed does not depend on it.
  writeFileSync(temp.file("workspace.yml"), `${text}# edited\n`);
  expect(await initFiles.owed(temp.path)).toEqual([made.event]);
  await initFiles.settled(temp.path, "act_other");
  expect(await initFiles.owed(temp.path)).toHaveLength(1);
  await initFiles.settled(temp.path, made.event.act);
  expect(await initFiles.owed(temp.path)).toEqual([]);
  expect(await initFiles.find(temp.path, made.event.act)).toBe(true);
});

test("WS-114: what an init that was killed had made ready beside its target is taken away by the next", async () => {
  using temp = tempFolder();
  // Beyond any system's largest process id.
  const dead = temp.file(".shop.4194999-0123456789ab.writ-tmp");
  mkdirSync(join(dead, "shop"), { recursive: true });
  writeFileSync(join(dead, "shop", "workspace.yml"), text);
  await createWorkspace(temp.file("shop"), newWorkspace(temp.file("shop")));
  expect(readdirSync(temp.path)).toEqual(["shop"]);
});
