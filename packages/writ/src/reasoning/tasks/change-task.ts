import { join } from "node:path";
import { type Context, fail } from "../../contract/index.ts";
import { formatInstant, readGitHead, requireNoLinks, withLock } from "../../platform/index.ts";
import { assessing } from "../derive/next-lines.ts";
import { cleanText } from "../records/clean.ts";
import { invalid, readDeclaredSettings } from "../settings/declared.ts";
import { rootOf } from "../settings/room.ts";
import { handoverOf } from "./read-task.ts";
import type { TaskState } from "../model/task.ts";
import { readOpenTaskId, readTask, requireTaskId, tasksLock, writeTask } from "./task-files.ts";

/** Opens a task, or opens it again. */
export async function startTask(
  ctx: Context,
  given: { id: string; title?: string | undefined; profile: string; client?: string | undefined },
) {
  requireTaskId(given.id);
  requireTaskId(given.profile, "profile name");
  const root = rootOf(ctx);
  const { profiles, faults } = await readDeclaredSettings(ctx);
  const known = Object.keys(profiles);
  if (!known.includes(given.profile))
    throw faults[0] ?? invalid(`profile ${given.profile}`, `known are ${known.join(", ")}`, known);
  await ctx.settle();
  return alone(ctx, async () => {
    const open = await readOpenTaskId(root);
    if (open !== undefined && open !== given.id) throw taskOpen(open);
    const before = await readTask(root, given.id);
    if (open === given.id && before) return { task: before, changed: false };
    const { head } = await readGitHead(root);
    const { title, client } = given;
    const { closed_at: _, closed_head: __, ...kept } = before ?? {};
    const task: TaskState = {
      ...kept,
      schema: "writ/task",
      version: 1,
      id: given.id,
      ...(title !== undefined && { title: cleanText(title) }),
      profile: given.profile,
      ...(client !== undefined && { client: cleanText(client) }),
      opened_at: formatInstant(ctx.clock.now()),
      ...(head !== undefined && { opened_head: head }),
      actor: ctx.caller.actor,
      act: ctx.act,
    };
    if (ctx.dryRun) return { task, changed: true };
    const started = await changed(ctx, { task, open: true, capability: "task.start" });
    return { ...started, next: ["writ guide reasoning", assessing({ materiality: "" })] };
  });
}

/** Closes the open task; its handover is what is left of it to read. */
export async function closeTask(ctx: Context) {
  const root = rootOf(ctx);
  await ctx.settle();
  return alone(ctx, async () => {
    const id = await readOpenTaskId(root);
    const before = id === undefined ? undefined : await readTask(root, id);
    if (!before) return { handover: "", changed: false, reason: "No task is open." };
    const handover = await handoverOf(ctx);
    const { head } = await readGitHead(root);
    const task: TaskState = {
      ...before,
      closed_at: formatInstant(ctx.clock.now()),
      ...(head !== undefined && { closed_head: head }),
      actor: ctx.caller.actor,
      act: ctx.act,
    };
    if (ctx.dryRun) return { task, handover, changed: true };
    return { ...(await changed(ctx, { task, open: false, capability: "task.close" })), handover };
  });
}

async function changed(
  ctx: Context,
  { task, open, capability }: { task: TaskState; open: boolean; capability: string },
) {
  const fact = { subjects: [task.id], detail: { task: task.id, profile: task.profile, open } };
  return ctx.commit(fact, async () => {
    const { actor, acts_for } = ctx.caller;
    const at = formatInstant(ctx.clock.now());
    const event = { act: ctx.act, capability, actor, ...(acts_for !== undefined && { acts_for }), at, fact };
    await writeTask(rootOf(ctx), { task, open, event });
    return { task, changed: true };
  });
}

async function alone<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const lock = join(rootOf(ctx), tasksLock);
  const options = {
    waitMs: 5000,
    what: "the tasks",
    folder: tasksLock,
    command: "writ task",
    signal: ctx.signal,
  };
  await requireNoLinks(rootOf(ctx), tasksLock);
  // Rehearsing makes no folder.
  if (ctx.dryRun) return work();
  return withLock(lock, options, work);
}

function taskOpen(open: string) {
  return fail("E_TASK_OPEN", {
    message: `The task ${open} is open.`,
    cause: "One task is open at a time, so that every record belongs to one.",
    remediation: "Close it first: writ task close",
    details: { task: open },
  });
}
