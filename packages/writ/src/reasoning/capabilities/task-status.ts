import { z } from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "task.status",
  summary: "Show the open task with what a session that joins it should know.",
  input: z.object({ handover: z.boolean().default(false).describe("Add what closing it would hand over.") }),
  output: async () => (await import("../surface/outputs.ts")).taskOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: ["E_TASK_ID_INVALID", "E_LIMIT", "E_UNSAFE_LINK"],
  examples: [
    { title: "What is going on", input: {} },
    { title: "With the handover", input: { handover: true } },
  ],
  related: ["task start", "task close", "reasoning status"],
  async run(ctx, { handover }) {
    const { readTaskStatus } = await import("../tasks/read-task.ts");
    return readTaskStatus(ctx, { handover });
  },
  render: (data, style) => data.handover || data.context || style.dim("No task is open: writ task start ID"),
});
