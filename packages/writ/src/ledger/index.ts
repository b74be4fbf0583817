import type { Part } from "../contract/index.ts";

export { appendEvent } from "./append.ts";
export { appendDenied, type Denial } from "./denied.ts";
export { erasePayload } from "./erase-payload.ts";
export {
  genesisHash,
  goneHash,
  type EventKind,
  type LedgerEvent,
  type NamedRow,
  type NewEvent,
  type Position,
} from "./event.ts";
export { eventIdOf } from "./event-id.ts";
export { exportLedger, type Exported, type ExportOptions } from "./export.ts";
export type { Finding, Verdict } from "./finding.ts";
export { lockHead, readHead, type Head } from "./head.ts";
export { checkpointIfDue, makeCheckpoint, type Checkpoint, type Witness } from "./checkpoint.ts";
export { readWitness, type WitnessLine } from "./checkpoint-file.ts";
export { openLedgerKey, type LedgerKey } from "./ledger-key.ts";
export { installationWitness } from "./installation.ts";
export { listEvents, type EventFilter, type EventPage } from "./list.ts";
export { showEvent, type ShownEvent, type ShownRow } from "./show.ts";
export { ledgerBroken, verifyLedger, type VerifyOptions } from "./verify.ts";
export { verifyFile } from "./verify-file.ts";
export { witnessOf } from "./witness-of.ts";

/** What the store and the ledger add to `doctor`. */
export const part: Part = {
  name: "ledger",
  checks: async () => (await import("./checks.ts")).storeChecks,
};
