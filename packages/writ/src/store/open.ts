import { openFolder } from "./open-folder.ts";
import { openServer } from "./open-server.ts";
import type { OpenOptions } from "./open-store.ts";
import { storeOver } from "./store-over.ts";
import type { Store } from "./store.ts";
import { migrations as known } from "./migrations/index.ts";

/** Opens whichever database the options name; the migrations are an argument so that tests can age a store. */
export async function open(options: OpenOptions, migrations = known): Promise<Store> {
  const engine = options.databaseUrl
    ? await openServer(options, migrations)
    : await openFolder(options, migrations);
  return storeOver(engine, { workspaceId: options.workspace.id, knownVersion: versionKnown(migrations) });
}

function versionKnown(migrations: typeof known): number {
  return migrations.at(-1)?.version ?? 0;
}
