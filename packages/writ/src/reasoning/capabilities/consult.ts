import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { reasoningFiles } from "../store/file-store.ts";
import { renderConsult } from "../surface/render.ts";

export default capability({
  id: "reasoning.consult",
  summary: "Ask the advisors that a plan selects, and record what each answers.",
  description:
    "The only command that contacts a model. All are asked at once, each from the same brief and none with the answer of another; each end is recorded as it comes. " +
    "Asked again, it asks only who has not answered. A failed exchange is a record and no error; without anybody to ask it gives the steps of a local review. " +
    "With --dry-run it shows exactly what would leave this machine, and opens nothing. Nothing an advisor says is carried out.",
  input: z.object({
    assessment: z.string().min(1).max(200).describe("The assessment to ask about."),
    plan: z
      .string()
      .max(200)
      .optional()
      .describe("One of its plans. Default: the newest that is not done, else a new one."),
    advisors: z.array(z.string().max(80)).max(50).default([]).describe("Ask only these of the selected."),
    question: z.string().max(4000).optional().describe("Ask this in place of the usual question."),
    timeout: z.number().min(0.1).max(600).default(90).describe("Seconds that each may take."),
    prior_opinions: z
      .array(z.string().max(8000))
      .max(20)
      .default([])
      .describe("Opinions to pass on: texts, or record:ID of an answer, which goes without its name."),
    replan: z.boolean().default(false).describe("Record a new plan first."),
  }),
  output: async () => (await import("../surface/outputs.ts")).consultOutput,
  need: { effect: "external", network: "may", workspace: "required" },
  commits: reasoningFiles,
  loopback: true,
  errors: [
    "E_LOCAL_ONLY",
    "E_NOT_FOUND",
    "E_WRONG_KIND",
    "E_CITATION",
    "E_NOT_SELECTED",
    "E_UNKNOWN_MODE",
    "E_INVALID_SETTING",
    "E_CATALOGUE_INVALID",
    "E_CONSULT_RUNNING",
    "E_ALREADY_ANSWERED",
    "E_DISPATCH_OPEN",
    "E_DISPATCH_CLOSED",
    "E_ATTEMPTS_EXHAUSTED",
    "E_ANSWER_SHAPE",
    "E_LIMIT",
    "E_TASK_ID_INVALID",
    "E_UNSAFE_LINK",
    "E_REDACTION_FAILED",
  ],
  examples: [
    {
      title: "What would leave this machine",
      input: { assessment: "assessment_01930000-0000-7000-8000-000000000000" },
    },
    {
      title: "With half a minute for each",
      input: { assessment: "assessment_01930000-0000-7000-8000-000000000000", timeout: 30 },
    },
  ],
  related: ["reasoning plan", "reasoning status", "reasoning record"],
  async run(ctx, input) {
    const { consult } = await import("../consult/consult.ts");
    return consult(ctx, input);
  },
  render: (data, style) => renderConsult(data, style),
});
