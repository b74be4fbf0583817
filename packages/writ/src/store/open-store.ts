import type { Clock, Ids } from "../contract/index.ts";
import type { Store } from "./store.ts";

export interface OpenOptions {
  /** The folder whose `.writ/writ.db` it is; for a worktree the parent's (see storeHome). */
  root?: string;
  /** WRIT_DATABASE_URL; it wins over the folder. */
  databaseUrl?: string;
  workspace: { id: string; name: string };
  clock: Clock;
  ids: Ids;
  /** "write" creates or migrates the store; "read" changes nothing and refuses an older store. */
  mode: "read" | "write";
  /** Lets a PostgreSQL database learn a workspace it does not know (`store migrate`, `up`, `serve`). */
  register?: boolean;
  /** The workspace was named by WRIT_WORKSPACE_ID, and no folder says that it is this one. */
  byName?: boolean;
  /** How long a write waits for other writers; default 10 s. */
  waitMs?: number;
}

/**
 * Opens the store of a workspace. Migrates an older one when opened for writing, after a backup beside it;
 * E_STORE_OUTDATED when opened for reading; E_STORE_NEWER leaves a newer one untouched.
 */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { open } = await import("./open.ts");
  return open(options);
}
