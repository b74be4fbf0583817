import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderChain } from "../surface/render.ts";

export default capability({
  id: "reasoning.explain",
  summary: "Show one record whole, with everything recorded on its assessment.",
  description:
    "With --attest, of a conclusion: a statement of who reviewed what, safe to commit. It holds no text of the session or of an advisor.",
  input: z.object({
    id: z.string().min(1).max(200).meta({ positional: 0 }).describe("A record's id, or record:ID."),
    attest: z.boolean().default(false).describe("Add an in-toto statement about the conclusion."),
    with_text: z.boolean().default(false).describe("Put the decision into that statement."),
  }),
  output: async () => (await import("../surface/outputs.ts")).explainOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: ["E_NOT_FOUND", "E_WRONG_KIND", "E_TASK_ID_INVALID", "E_LIMIT", "E_UNSAFE_LINK"],
  examples: [
    { title: "Why a decision was taken", input: { id: "conclusion_01930000-0000-7000-8000-000000000000" } },
    {
      title: "To commit beside it",
      input: { id: "conclusion_01930000-0000-7000-8000-000000000000", attest: true },
    },
  ],
  related: ["reasoning status", "explain"],
  async run(ctx, { id, attest, with_text: withText }) {
    const { explainRecord } = await import("../surface/read.ts");
    return explainRecord(ctx, { id, attest, withText });
  },
  render: (data, style) => renderChain(data, style),
});
