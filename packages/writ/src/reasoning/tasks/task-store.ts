import type { FileStore } from "../../contract/index.ts";
import { forgetOwedTask, readOwedTask, readTask, readTasks } from "./task-files.ts";

/** The tasks of a checkout, as the executor sees them. */
export const taskFiles: FileStore = {
  name: "tasks",
  async owed(root) {
    const event = await readOwedTask(root);
    // Written first: it is owed only once the task it speaks of was changed.
    return event && (await this.find(root, event.act)) ? [event] : [];
  },
  async find(root, act) {
    const event = await readOwedTask(root);
    const id = event?.act === act ? event.fact.subjects?.[0] : undefined;
    if (id !== undefined) return (await readTask(root, id))?.act === act;
    return (await readTasks(root)).some((task) => task.act === act);
  },
  settled: forgetOwedTask,
};
