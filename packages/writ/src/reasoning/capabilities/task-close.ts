import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderClosed } from "../surface/render-task.ts";
import { taskFiles } from "../tasks/task-store.ts";

export default capability({
  id: "task.close",
  summary: "Close the open task and give its handover.",
  description:
    "The handover is what the next session should know: what was decided on what grounds, and what is still owed.",
  input: z.object({}),
  output: async () => (await import("../surface/outputs.ts")).taskChangeOutput,
  need: { effect: "local", network: "never", workspace: "required" },
  commits: taskFiles,
  undo: "task.start",
  errors: ["E_TASK_ID_INVALID", "E_LIMIT", "E_UNSAFE_LINK"],
  examples: [
    { title: "End the work", input: {} },
    { title: "What it would say", input: {} },
  ],
  related: ["task start", "task status", "reasoning status"],
  async run(ctx) {
    const { closeTask } = await import("../tasks/change-task.ts");
    return closeTask(ctx);
  },
  render: (data, style) => renderClosed(data, style),
});
