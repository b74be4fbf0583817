import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canMount, smallDisk } from "../fixtures/small-disk.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const reads = ["token.list", "ledger.list", "ledger.verify", "store.status"];

/** What each reading command fails with. */
async function failuresOf(it: TestApp, root: string): Promise<(string | undefined)[]> {
  const codes: (string | undefined)[] = [];
  for (const id of reads) codes.push((await it.call(id, {}, { where: { flag: root } })).error?.code);
  return codes;
}
const none = reads.map(() => undefined);

/** Makes tokens until one fails; their ids, and the failure. */
async function writeUntilFull(it: TestApp) {
  const ids: string[] = [];
  for (;;) {
    const answer = await it.call("token.create");
    if (!answer.ok) return { ids, error: answer.error };
    ids.push(String(answer.data.id));
  }
}

describe.runIf(canMount())("a store on a disk that fails", () => {
  test("AG-158: a full disk is STORE_ERROR, loses nothing, and hinders neither readers nor what comes after", async () => {
    await using it = testApp();
    using disk = smallDisk(join(it.root, ".writ"));
    const first = await it.call("token.create");
    const free = disk.fill();
    const { ids, error } = await writeUntilFull(it);
    expect(error).toMatchObject({ code: "STORE_ERROR", exit_code: 5, cause: "The disk is full." });
    expect(await failuresOf(it, it.root)).toEqual(none);
    await using other = testApp();
    expect(await failuresOf(other, it.root)).toEqual(none);
    expect((await other.call("token.create", {}, { where: { flag: it.root } })).error).toMatchObject({
      code: "STORE_ERROR",
      exit_code: 5,
    });
    free();
    const last = await it.call("token.create");
    expect(last.ok).toBe(true);
    const tokens = (await it.call("token.list")).data.tokens as { id: string }[];
    expect(tokens.map(({ id }) => id).toSorted()).toEqual(
      [String(first.data.id), ...ids, String(last.data.id)].toSorted(),
    );
    expect((await it.call("ledger.verify")).data).toMatchObject({ ok: true, events: ids.length + 2 });
    await Promise.all([it.app.close(), other.app.close()]);
  });

  test("RN-4: a store on a read-only disk is read, and a write is STORE_ERROR", async () => {
    await using it = testApp();
    using disk = smallDisk(join(it.root, ".writ"));
    const made = await it.call("token.create", { role: "member" });
    await it.app.close();
    disk.makeReadOnly();
    await using reader = testApp();
    const where = { flag: it.root };
    expect(await failuresOf(reader, it.root)).toEqual(none);
    const credential = { token: String(made.data.token) };
    expect((await reader.call("token.list", {}, { where, credential, surface: "http" })).error?.code).toBe(
      "E_ROLE_REQUIRED",
    );
    expect((await reader.call("token.create", {}, { where })).error).toMatchObject({
      code: "STORE_ERROR",
      exit_code: 5,
    });
    expect((await reader.call("token.list", {}, { where })).data.tokens).toHaveLength(1);
    await reader.app.close();
  });

  test("AG-162: a checkpoint whose file cannot be written does not fail the act", async () => {
    const hour = 3_600_000;
    let now = Date.UTC(2026, 10, 30, 9);
    await using it = testApp({ now: () => now });
    using state = smallDisk(join(it.home, ".local/state/writ"));
    await it.call("token.create");
    state.makeReadOnly();
    now += 2 * hour;
    expect(await it.call("token.create")).toMatchObject({ ok: true, warnings: [] });
    expect((await it.call("store.status")).data).toMatchObject({ ledger: { seq: 2, checkpoint: null } });
    await it.app.close();
  });
});
