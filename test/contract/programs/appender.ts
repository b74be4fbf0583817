import { appendEvent } from "../../../packages/writ/src/ledger/index.ts";
import { systemClock, systemIds } from "../../../packages/writ/src/platform/index.ts";
import { openStore } from "../../../packages/writ/src/store/index.ts";
import { eventOf } from "../events.ts";

// Appends events to a workspace's store until it has written so many, or is killed; each line is a promise
// that the event of that id is in the ledger.
const [root = "", name = "", count = "0", databaseUrl] = process.argv.slice(2);
const store = await openStore({
  root,
  ...(databaseUrl && { databaseUrl, register: true }),
  workspace: { id: "ws_one", name: "one" },
  clock: systemClock,
  ids: systemIds,
  mode: "write",
  waitMs: 60_000,
});
for (let n = 0; n < Number(count); n++) {
  const id = `led_${name}_${n}`;
  await store.write(async (db) => {
    const times = { created_at: "2026-11-30T09:00:00.000Z", expires_at: "2026-11-30T09:00:00.000Z" };
    const replay = { key: id, actor: "user:ana", capability: "a.b", input_hash: "h", answer: "{}", ...times };
    await db
      .insertInto("replays")
      .values({ workspace_id: db.workspaceId, ...replay })
      .execute();
    await appendEvent(db, eventOf({ id, payload: { n } }));
  });
  process.stdout.write(`${id}\n`);
}
await store.close();
