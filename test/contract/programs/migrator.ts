import { systemClock, systemIds } from "../../../packages/writ/src/platform/index.ts";
import { open } from "../../../packages/writ/src/store/open.ts";
import { laterMigrations } from "./later-migrations.ts";

// Migrates a workspace's store, and is killed at the point it is given: as by a loss of power, with no handler.
const [root = "", deadly = "", databaseUrl] = process.argv.slice(2);
const migrations = laterMigrations((point) => {
  if (point === deadly) process.kill(process.pid, "SIGKILL");
});
const options = {
  root,
  ...(databaseUrl && { databaseUrl }),
  workspace: { id: "ws_one", name: "one" },
  clock: systemClock,
  ids: systemIds,
  mode: "write" as const,
};
await (await open(options, migrations)).close();
