import type { Context } from "../../contract/index.ts";
import { readState } from "../derive/read-state.ts";
import { escaped } from "../derive/words.ts";
import { openRoom, type Room, rootOf, warnOfFaults } from "../settings/room.ts";
import { readOpenTaskId, readTasks } from "./task-files.ts";

/** The open task with its context; empty texts where none is open. */
export async function readTaskStatus(ctx: Context, { handover }: { handover: boolean }) {
  const room = await openRoom(ctx);
  warnOfFaults(room);
  const { openTask: task } = room;
  if (!task)
    return {
      context: "",
      ...(handover && { handover: "" }),
      reason: "No task is open.",
      fix_command: "writ task start ID",
    };
  const { report, state } = await readState(room);
  return {
    task,
    context: textOf(room, report),
    ...(handover && { handover: textOf(room, report, state.chain.digest) }),
  };
}

/** What a closing task hands over. */
export async function handoverOf(ctx: Context): Promise<string> {
  const room = await openRoom(ctx);
  if (!room.openTask) return "";
  const { report, state } = await readState(room);
  return textOf(room, report, state.chain.digest);
}

function textOf({ openTask, mode }: Room, report: string, digest?: string): string {
  if (!openTask) return "";
  const { id, title, profile } = openTask;
  const lines = [
    `# Task ${id}${title === undefined ? "" : `: ${escaped(title)}`}`,
    "",
    `Profile ${profile}; mode ${mode.mode} (${mode.source}).`,
    ...(digest === undefined ? [] : [`Record chain at ${digest}.`]),
    ...(report === "" ? [] : ["", report.trimEnd()]),
  ];
  return `${lines.join("\n")}\n`;
}

export async function listTasks(ctx: Context) {
  const root = rootOf(ctx);
  const [open, tasks] = await Promise.all([readOpenTaskId(root), readTasks(root)]);
  return { ...(open !== undefined && { open }), tasks };
}
