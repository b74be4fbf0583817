import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/fixtures/temp-folder.ts";
import { systemClock, systemIds } from "../platform/index.ts";
import { openStore, type Store } from "../store/index.ts";
import { createRecall } from "./recall.ts";

function open(root: string): Promise<Store> {
  const workspace = { id: "ws_recall", name: "recall" };
  return openStore({ root, workspace, clock: systemClock, ids: systemIds, mode: "write" });
}

test("AG-29: what is recalled is asked again after any commit, also one of another connection", async () => {
  using temp = tempFolder();
  const store = await open(temp.path);
  const other = await open(temp.path);
  const recall = createRecall();
  let asked = 0;
  const ask = () => recall(store, "key", async () => ++asked);
  const write = (by: Store, id: string) =>
    by.write((db) =>
      db
        .insertInto("principals")
        .values({
          workspace_id: db.workspaceId,
          id,
          kind: "user",
          role: "member",
          active: 1,
          name: null,
          created_at: "2026-01-01T00:00:00.000Z",
          row_hash: "",
        })
        .execute(),
    );

  expect([await ask(), await ask()]).toEqual([1, 1]);
  await write(other, "user:one");
  expect([await ask(), await ask()]).toEqual([2, 2]);
  await write(store, "user:two");
  expect([await ask(), await ask()]).toEqual([3, 3]);
  await Promise.all([store.close(), other.close()]);
});

test("AG-29: one key's answer is never another's", async () => {
  using temp = tempFolder();
  const store = await open(temp.path);
  const recall = createRecall();
  expect(await recall(store, "a", async () => "of a")).toBe("of a");
  expect(await recall(store, "b", async () => undefined)).toBeUndefined();
  expect(await recall(store, "a", async () => "other")).toBe("of a");
  await store.close();
});
