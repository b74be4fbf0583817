import type { Folders, Settings } from "../contract/index.ts";
import type { Witness } from "./checkpoint.ts";
import { openLedgerKey } from "./ledger-key.ts";

/** Where this installation keeps its checkpoints, and the key it signs them with. */
export function installationWitness({
  folders,
  settings,
}: {
  folders: Folders;
  settings: Settings;
}): Witness {
  const configured = settings.env("WRIT_LEDGER_KEY");
  return { folder: folders.state, key: () => openLedgerKey({ folder: folders.state, configured }) };
}
