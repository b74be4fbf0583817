import { openFolder } from "./open-folder.ts";
import type { OpenOptions } from "./open-store.ts";
import { storeOver } from "./store-over.ts";
import type { Store } from "./store.ts";
import { migrations as known } from "./migrations/index.ts";

/** Opens whichever database the options name; the migrations are an argument so that tests can age a store. */
export async function open(options: OpenOptions, migrations = known): Promise<Store> {
  const engine = options.databaseUrl
    ? await onServer(options, migrations)
    : await openFolder(options, migrations);
  return storeOver(engine, { workspaceId: options.workspace.id, knownVersion: versionKnown(migrations) });
}

function versionKnown(migrations: typeof known): number {
  return migrations.at(-1)?.version ?? 0;
}

/** Loaded when it is asked for: who works in a folder needs no driver of a server. */
async function onServer(options: OpenOptions, migrations: typeof known) {
  const { openServer } = await import("./open-server.ts");
  return openServer(options, migrations);
}
