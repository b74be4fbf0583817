import type { FileStore, OwedEvent } from "../../contract/index.ts";
import { readAppliedRun } from "./applied.ts";
import { readJournal, removeJournal } from "./journal.ts";
import { holdsRunLock, withRunLock } from "./run-lock.ts";

/**
 * The composition of a checkout, as the executor sees it. The journal is the owed event: it is forgotten
 * only when the swap it describes is complete and the event stands in the ledger.
 */
export const workspaceFiles: FileStore = {
  name: "workspace",

  async owed(root: string): Promise<OwedEvent[]> {
    const journal = await readJournal(root);
    return journal ? [{ ...journal.event }] : [];
  },

  async find(root: string, act: string): Promise<boolean> {
    if ((await readJournal(root))?.run === act) return true;
    if ((await readAppliedRun(root)) === act) return true;
    const { readUndo } = await import("./undo-record.ts");
    return (await readUndo(root))?.run === act;
  },

  async settled(root: string, act: string): Promise<void> {
    if (!(await isSwapped(root, act))) return;
    if (holdsRunLock(root)) return removeJournal(root, act);
    // Another process may be running: then it removes the journal itself, and a second hand would only race.
    await withRunLock(root, { waitMs: 0, command: "settle" }, () => removeJournal(root, act)).catch(() => {});
  },
};

/** True once the swap of that act is complete: applied.json is the last file it renames into place. */
async function isSwapped(root: string, act: string): Promise<boolean> {
  return (await readAppliedRun(root)) === act;
}
