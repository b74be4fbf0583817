import { z } from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "task.list",
  summary: "List the tasks of this checkout.",
  input: z.object({}),
  output: async () => (await import("../surface/outputs.ts")).taskListOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: ["E_TASK_ID_INVALID", "E_LIMIT", "E_UNSAFE_LINK"],
  examples: [
    { title: "All of them", input: {} },
    { title: "Which one is open", input: {} },
  ],
  related: ["task start", "task status"],
  async run(ctx) {
    const { listTasks } = await import("../tasks/read-task.ts");
    return listTasks(ctx);
  },
  render: (data, style) =>
    data.tasks.length === 0
      ? style.dim("No task was started: writ task start ID")
      : data.tasks
          .map(({ id, profile, title = "", closed_at }) =>
            `${id === data.open ? style.green("open  ") : closed_at ? "closed" : "      "}  ${id}  ${profile}  ${title}`.trimEnd(),
          )
          .join("\n"),
});
