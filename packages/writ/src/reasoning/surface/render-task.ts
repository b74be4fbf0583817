import type { Style } from "../../contract/index.ts";

/** A task that was opened, or would be. */
export function renderOpened(
  data: {
    task?: { id: string; profile: string } | undefined;
    changed?: boolean | undefined;
    dry_run?: boolean;
  },
  style: Style,
): string {
  const { id = "", profile = "" } = data.task ?? {};
  if (data.changed === false) return `${style.green("ok")}  ${id} is open already.`;
  if (data.dry_run) return `${style.green("ok")}  ${id} would be opened (${profile}).`;
  return `${style.green("ok")}  ${id} is open (${profile}).`;
}

/** A task that was closed, or would be, with what is handed over. */
export function renderClosed(
  data: {
    task?: { id: string } | undefined;
    handover?: string | undefined;
    dry_run?: boolean;
    reason?: string | undefined;
  },
  style: Style,
): string {
  const { task, handover = "", dry_run: dry, reason } = data;
  if (!task) return `${style.green("ok")}  ${reason ?? "No task is open."}`;
  const said = dry ? `${task.id} would be closed.` : `${task.id} is closed.`;
  return `${style.green("ok")}  ${said} Its handover:\n\n${handover.trimEnd()}`;
}
