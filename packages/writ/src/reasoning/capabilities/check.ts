import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderCheck } from "../surface/render.ts";

export default capability({
  id: "reasoning.check",
  summary: "Check the settings, the tables, the documents and every record against their rules.",
  description:
    "Offline; it contacts nobody. Each record is judged again by the rules it had to meet, each plan is computed again and each review recounted, so a record edited by hand is named. Absent advisors are no finding.",
  input: z.object({}),
  output: async () => (await import("../surface/outputs.ts")).checkOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: ["E_CHECK_FINDINGS", "E_TASK_ID_INVALID", "E_LIMIT", "E_UNSAFE_LINK"],
  examples: [
    { title: "In CI", input: {} },
    { title: "Before a handover", input: {} },
  ],
  related: ["reasoning status", "doctor", "ledger verify"],
  async run(ctx) {
    const { checkReasoning } = await import("../check/check.ts");
    return checkReasoning(ctx);
  },
  render: (data, style) => renderCheck(data, style),
});
