import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderStatus } from "../surface/render.ts";

export default capability({
  id: "reasoning.status",
  summary: "Show what is uncertain, who was asked, what was concluded and what is owed.",
  description: "Computed from the records on every call. Nobody is contacted.",
  input: z.object({
    task: z.string().max(80).optional().describe("A task, untasked, or all. Default: the open task."),
    report: z.boolean().default(false).describe("Print the report alone, without the time line."),
  }),
  output: async () => (await import("../surface/outputs.ts")).statusOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: ["E_TASK_ID_INVALID", "E_LIMIT", "E_UNSAFE_LINK"],
  examples: [
    { title: "The open task", input: {} },
    { title: "The report of everything", input: { task: "all", report: true } },
  ],
  related: ["reasoning explain", "reasoning check", "task status"],
  async run(ctx, { task, report }) {
    const { readStatus } = await import("../surface/read.ts");
    return { ...(await readStatus(ctx, task)), view: report ? ("report" as const) : ("all" as const) };
  },
  render: (data, style) => renderStatus(data, style),
});
