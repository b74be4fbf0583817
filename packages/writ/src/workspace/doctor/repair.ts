import type { Context } from "../../contract/index.ts";
import { noFault } from "../swap/faults.ts";
import { openOffline } from "../run/observe-changeset.ts";
import { readJournal } from "../swap/journal.ts";
import { recover } from "../swap/recover.ts";
import { rootOf } from "../run/pending.ts";
import { requireRunPlaces, withRunLock } from "../swap/run-lock.ts";
import { examine, type Report, reportOf } from "./report.ts";

export interface RepairOptions {
  check?: string;
  waitMs: number;
}

const command = "writ doctor fix";

/** Examines, repairs what is fixable, and examines what was repaired; a second call finds nothing to do. */
export async function repair(
  ctx: Context,
  { check, waitMs }: RepairOptions,
): Promise<Report & { changed: boolean }> {
  const asked = { offline: true, ...(check !== undefined && { check }) };
  const before = await examine(ctx, { ...asked, fix: false });
  const fixable = before.checks.filter((one) => one.fixable).map(({ id }) => id);
  if (ctx.dryRun && fixable.length > 0) await requireRunPlaces(rootOf(ctx));
  if (fixable.length === 0 || ctx.dryRun) return { ...before, changed: fixable.length > 0 };
  const onWait = () => ctx.emit({ phase: "wait" });
  return withRunLock(rootOf(ctx), { waitMs, command, signal: ctx.signal, onWait }, async () => {
    // An interrupted run is completed first, as its own act: nothing is repaired on top of half of it.
    const resumed = (await readJournal(rootOf(ctx))) !== undefined;
    if (resumed) await recover(ctx, rootOf(ctx), { open: () => openOffline(ctx, command), fault: noFault });
    const finished = resumed ? ["workspace.journal"] : [];
    return ctx.commit(
      (done: Report & { changed: boolean }) => ({
        detail: { fixed: done.checks.filter(({ fixed }) => fixed).map(({ id }) => id) },
      }),
      async () => {
        const after = await examine(ctx, { ...asked, fix: true });
        const checks = after.checks.map((one) => (finished.includes(one.id) ? { ...one, fixed: true } : one));
        const report = reportOf(checks);
        return { ...report, changed: report.summary.fixed > 0 };
      },
    );
  });
}
