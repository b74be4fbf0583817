import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { reasoningFiles } from "../store/file-store.ts";
import { renderRecorded } from "../surface/render.ts";

export default capability({
  id: "reasoning.record",
  summary: "Record a step of reasoning: an assessment, a plan, a conclusion, a validation and others.",
  description:
    "A record is never changed; one that supersedes it is the correction. Rules decide what may follow what, and each refusal names the next command. " +
    "That an advisor was asked, and what it answered, cannot be recorded here: writ reasoning consult does that when it asks.",
  input: z.object({
    file: z
      .string()
      .max(4096)
      .optional()
      .meta({ local_path: true })
      .describe("A file that is the record, as YAML or JSON; - for standard input."),
    record: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("The record itself: its kind and that kind's fields. See writ schema reasoning-record."),
  }),
  output: async () => (await import("../surface/outputs.ts")).recordOutput,
  need: { effect: "local", network: "never", workspace: "required" },
  commits: reasoningFiles,
  loopback: true,
  errors: [
    "E_LOCAL_ONLY",
    "E_MISSING_INPUT",
    "E_CONFLICTING_INPUT",
    "E_DISPATCH_REQUIRED",
    "E_LIMIT",
    "E_NOT_FOUND",
    "E_WRONG_KIND",
    "E_BLANK_FIELD",
    "E_UNSAFE_PATH",
    "E_UNSAFE_LINK",
    "E_TASK_ID_INVALID",
    "E_REDACTION_FAILED",
    "E_UNKNOWN_CAPABILITY",
    "E_MATERIALITY_FLOOR",
    "E_EVIDENCE_REQUIRED",
    "E_NO_NEW_EVIDENCE",
    "E_UNKNOWN_MODE",
    "E_INVALID_SETTING",
    "E_CATALOGUE_INVALID",
    "E_DISAGREEMENT_SHAPE",
    "E_OPINION_NOT_EVIDENCE",
    "E_ALREADY_RESOLVED",
    "E_VALIDATION_PLAN_REQUIRED",
    "E_PLAN_REQUIRED",
    "E_REVIEW_DEBT",
    "E_CITATION",
    "E_UNWEIGHED_ANSWER",
    "E_OPPOSITION_UNANSWERED",
    "E_UNRESOLVED_DISAGREEMENT",
    "E_LOCAL_REVIEW_REQUIRED",
    "E_SUPERSEDE_REFUSED",
    "E_CONCLUSION_STANDS",
    "E_RECEIPT_CONTRADICTS",
    "E_NOT_SELECTED",
    "E_ALREADY_ASKED",
    "E_WAIVER_REFUSED",
  ],
  examples: [
    { title: "From a file, or from standard input with -", input: { file: "assessment.yml" } },
    {
      title: "What failed, so that nobody tries it again",
      input: {
        record: {
          kind: "attempt",
          attempt: "Raised the pool to 50",
          observed_failure: "The database refused at 40",
        },
      },
    },
  ],
  related: ["reasoning status", "reasoning consult", "reasoning explain", "schema"],
  async run(ctx, given) {
    const { recordBody } = await import("../surface/record.ts");
    return recordBody(ctx, given);
  },
  render: (data, style) => renderRecorded(data, style),
});
