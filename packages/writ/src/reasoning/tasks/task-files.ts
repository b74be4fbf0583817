import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fail, type OwedEvent, type WritError } from "../../contract/index.ts";
import {
  makeFolder,
  readOrNull,
  removeTree,
  requireNoLinks,
  storing,
  writeAtomic,
} from "../../platform/index.ts";
import type { TaskState } from "../model/task.ts";
import { taskName } from "../model/words.ts";

export const untasked = "untasked";
const folder = ".writ/tasks";
const openFile = ".writ/task.json";
// No task can be called so.
const owedFile = `${folder}/.owed`;
const maxBytes = 64 * 1024;

/** Refuses an id that could name another place, or that is a word of Writ's own. */
export function requireTaskId(id: string, what = "task id"): void {
  if (taskName.test(id) && !id.includes("..") && id !== untasked) return;
  throw taskIdInvalid(id, what);
}

function taskIdInvalid(id: string, what: string): WritError {
  return fail("E_TASK_ID_INVALID", {
    message: `${JSON.stringify(id.slice(0, 80))} is no ${what}.`,
    cause:
      "It has 1 to 64 lower-case letters, digits, dots, hyphens and underscores, and begins with a letter or digit.",
    remediation: "Use a name such as: writ task start fix-login",
    details: { id: id.slice(0, 80) },
  });
}

/** The id of the open task, or undefined. A file that holds no such id is refused, never guessed at. */
export async function readOpenTaskId(root: string): Promise<string | undefined> {
  await requireNoLinks(root, openFile);
  const bytes = await storing(openFile, () => readOrNull(join(root, openFile), { maxBytes }));
  if (!bytes) return undefined;
  const id = idIn(bytes.toString("utf8"));
  if (id === undefined) throw taskIdInvalid(bytes.toString("utf8"), "task id");
  requireTaskId(id);
  return id;
}

function idIn(text: string): string | undefined {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The state of one task, or undefined when it was never started or cannot be read. */
export async function readTask(root: string, id: string): Promise<TaskState | undefined> {
  requireTaskId(id);
  await requireNoLinks(root, `${folder}/${id}.json`);
  const bytes = await storing(folder, () => readOrNull(join(root, folder, `${id}.json`), { maxBytes }));
  try {
    if (!bytes) return undefined;
    const { TaskState } = await import("../model/task.ts");
    return TaskState.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    return undefined;
  }
}

/** Every task, by id. */
export async function readTasks(root: string): Promise<TaskState[]> {
  const names = await readdir(join(root, folder)).catch(() => []);
  const ids = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .filter((id) => taskName.test(id) && !id.includes(".."))
    .sort();
  const tasks = await Promise.all(ids.map((id) => readTask(root, id)));
  return tasks.filter((task) => task !== undefined);
}

/** Writes a change of a task: what is owed to the ledger first, then the task, then which one is open. */
export async function writeTask(
  root: string,
  { task, open, event }: { task: TaskState; open: boolean; event: OwedEvent },
): Promise<void> {
  await requireNoLinks(root, `${folder}/${task.id}.json`);
  await storing(folder, async () => {
    await makeFolder(join(root, folder), 0o700);
    await writeAtomic(join(root, owedFile), `${JSON.stringify(event)}\n`, { mode: 0o600 });
    await writeAtomic(join(root, folder, `${task.id}.json`), `${JSON.stringify(task, null, 2)}\n`, {
      mode: 0o600,
    });
    if (open)
      await writeAtomic(join(root, openFile), `${JSON.stringify({ id: task.id })}\n`, { mode: 0o600 });
    else await removeTree(join(root, openFile));
  });
}

/** The event of the last change, while the ledger may lack it. */
export async function readOwedTask(root: string): Promise<OwedEvent | undefined> {
  const bytes = await storing(owedFile, () => readOrNull(join(root, owedFile), { maxBytes }));
  try {
    const event = bytes ? (JSON.parse(bytes.toString("utf8")) as OwedEvent) : undefined;
    return typeof event?.act === "string" ? event : undefined;
  } catch {
    return undefined;
  }
}

export async function forgetOwedTask(root: string, act: string): Promise<void> {
  if ((await readOwedTask(root))?.act === act) await removeTree(join(root, owedFile));
}

export const tasksLock = `${folder}/lock`;
