import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderOpened } from "../surface/render-task.ts";
import { taskFiles } from "../tasks/task-store.ts";

export default capability({
  id: "task.start",
  summary: "Open a task: what is recorded from now on belongs to it.",
  description:
    "One task is open at a time. A task that was closed is opened again. Its profile decides how much outside review is allowed, unless something stronger does.",
  input: z.object({
    id: z.string().max(400).meta({ positional: 0 }).describe("A short name, such as fix-login."),
    title: z.string().max(300).optional().describe("What it is about."),
    profile: z
      .string()
      .max(80)
      .default("implementation")
      .describe("deep-work, implementation, debugging, routine, or one of workspace.yml."),
    client: z.string().max(80).optional().describe("The client whose model is asking."),
  }),
  output: async () => (await import("../surface/outputs.ts")).taskChangeOutput,
  need: { effect: "local", network: "never", workspace: "required" },
  commits: taskFiles,
  undo: "task.close",
  errors: ["E_TASK_ID_INVALID", "E_TASK_OPEN", "E_INVALID_SETTING", "E_LIMIT", "E_UNSAFE_LINK"],
  examples: [
    { title: "Begin", input: { id: "fix-login" } },
    { title: "With the most review", input: { id: "new-storage", profile: "deep-work" } },
  ],
  related: ["task close", "task status", "reasoning record"],
  async run(ctx, input) {
    const { startTask } = await import("../tasks/change-task.ts");
    return startTask(ctx, input);
  },
  render: (data, style) => renderOpened(data, style),
});
