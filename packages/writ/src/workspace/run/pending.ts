import type { Context } from "../../contract/index.ts";
import { readJournal } from "../swap/journal.ts";

/** The root of the workspace this call is about. */
export function rootOf(ctx: Context): string {
  if (!ctx.workspace) throw new TypeError("this capability needs a workspace");
  return ctx.workspace.root;
}

/** Tells an observer that an interrupted run waits to be completed; it is not for an observer to do that. */
export async function warnOfPending(ctx: Context): Promise<boolean> {
  if (!(await readJournal(rootOf(ctx)))) return false;
  ctx.warn({
    code: "W_PENDING_SWAP",
    message: "An interrupted run is waiting to be completed; files may be old or new.",
    remediation: "Complete it: writ bootstrap",
  });
  return true;
}
