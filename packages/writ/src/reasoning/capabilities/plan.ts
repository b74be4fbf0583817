import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderPlan } from "../surface/render.ts";
import { confidences, materialities } from "../model/words.ts";

export default capability({
  id: "reasoning.plan",
  summary: "Say what review an uncertainty would call for, without recording anything.",
  description:
    "A preview: it stores nothing and takes over no earlier conclusion. The plan that counts is computed when it is recorded. 'Nobody to ask' is an ordinary plan.",
  input: z.object({
    materiality: z.enum(materialities).default("low").describe("How much is at stake."),
    confidence: z.enum(confidences).default("medium").describe("How sure the session already is."),
    capabilities: z
      .array(z.string().max(80))
      .max(40)
      .default([])
      .describe("Strengths the review needs, each by a flag or split at commas."),
    confidential: z.boolean().default(false).describe("Nobody away from this machine may be asked."),
  }),
  output: async () => (await import("../surface/outputs.ts")).planOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: [
    "E_UNKNOWN_CAPABILITY",
    "E_UNKNOWN_MODE",
    "E_INVALID_SETTING",
    "E_CATALOGUE_INVALID",
    "E_TASK_ID_INVALID",
    "E_LIMIT",
    "E_UNSAFE_LINK",
  ],
  examples: [
    { title: "A risky design choice", input: { materiality: "high" } },
    {
      title: "One that needs two strengths",
      input: { materiality: "high", capabilities: ["code_review", "security_review"] },
    },
  ],
  related: ["reasoning advisors", "reasoning consult"],
  async run(ctx, input) {
    const { previewPlan } = await import("../surface/read.ts");
    return previewPlan(ctx, input);
  },
  render: (data, style) => renderPlan(data, style),
});
