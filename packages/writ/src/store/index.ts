export { decodeJson, encodeJson } from "./json-column.ts";
export { openStore, type OpenOptions } from "./open-store.ts";
export { hashedTables, rowHash, withRowHash, type HashedTableName } from "./row-hash.ts";
export type * from "./schema.ts";
export type { Bound, Dialect, Reading } from "./sql.ts";
export type { Store, StoreStatus } from "./store.ts";
export {
  readIdentity,
  readOrCreateIdentity,
  storeHome,
  type Identity,
  type StoreHome,
} from "./workspace-id.ts";
export { restoreStore, type Restored } from "./restore.ts";
export { ownOutput } from "./own-file.ts";
