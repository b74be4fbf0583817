import { mkdirSync, mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock, systemIds } from "../platform/index.ts";
import { readIdentity, readOrCreateIdentity, storeHome } from "./workspace-id.ts";

const made = { name: "review", clock: systemClock, ids: systemIds };
const folder = () => mkdtempDisposableSync(join(tmpdir(), "writ-id-"));

function put(root: string, content: string) {
  mkdirSync(join(root, ".writ"));
  writeFileSync(join(root, ".writ/workspace.json"), content);
}

test("RN-1: an identity is made once and read ever after", async () => {
  using root = folder();
  expect(await readIdentity(root.path)).toBeNull();
  const first = await readOrCreateIdentity(root.path, made);
  const again = await readOrCreateIdentity(root.path, { ...made, name: "other" });
  expect(first).toMatchObject({ created: true, identity: { schema: "1", name: "review" } });
  expect(first.identity.id).toMatch(/^ws_[0-9a-f-]{36}$/);
  expect(again).toEqual({ created: false, identity: first.identity });
  expect(Object.keys(JSON.parse(readFileSync(join(root.path, ".writ/workspace.json"), "utf8")))).toEqual([
    "schema",
    "id",
    "name",
    "created_at",
  ]);
});

test("RN-1: of many that make it at once, one does, and all have the same", async () => {
  using root = folder();
  const all = await Promise.all(Array.from({ length: 20 }, () => readOrCreateIdentity(root.path, made)));
  expect(new Set(all.map(({ identity }) => identity.id)).size).toBe(1);
  expect(all.filter(({ created }) => created)).toHaveLength(1);
});

test.for(["", "{", "[]", "null", '{"schema":"2","id":"ws_1"}', '{"schema":"1","id":"ws_1","name":"a"}'])(
  "RN-1: a damaged file (%s) is STORE_ERROR, and is neither read nor replaced",
  async (content) => {
    using root = folder();
    put(root.path, content);
    await expect(readOrCreateIdentity(root.path, made)).rejects.toMatchObject({ code: "STORE_ERROR" });
    expect(readFileSync(join(root.path, ".writ/workspace.json"), "utf8")).toBe(content);
  },
);

test("RN-1: a .writ that is a link to elsewhere is E_UNSAFE_LINK", async () => {
  using root = folder();
  using elsewhere = folder();
  symlinkSync(elsewhere.path, join(root.path, ".writ"));
  await expect(readOrCreateIdentity(root.path, made)).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
});

test("RN-3: a worktree's store is its parent's, and a parent that is gone or another is E_STORE_PARENT_GONE", async () => {
  using parent = folder();
  using tree = folder();
  const { identity } = await readOrCreateIdentity(parent.path, made);
  const of = (id: string, path: string) => ({ ...identity, id: "ws_tree", parent: { id, path } });
  expect(await storeHome(parent.path, identity)).toEqual({
    root: parent.path,
    workspace: { id: identity.id, name: "review" },
  });
  expect(await storeHome(tree.path, of(identity.id, parent.path))).toEqual({
    root: parent.path,
    workspace: { id: identity.id, name: "review" },
  });
  const gone = join(parent.path, "nowhere");
  for (const worktree of [of(identity.id, gone), of("ws_other", parent.path)]) {
    await expect(storeHome(tree.path, worktree)).rejects.toMatchObject({
      code: "E_STORE_PARENT_GONE",
      failure: { details: { path: worktree.parent.path } },
    });
  }
});
