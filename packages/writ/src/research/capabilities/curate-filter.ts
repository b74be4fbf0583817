import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { readErrors } from "../library/errors.ts";
import { libraryFiles } from "../library/file-store.ts";
import { workTypes } from "../model.ts";
import { waitInput } from "../sources/flags.ts";

const year = z.int().min(0).max(9999).optional();

export default capability({
  id: "research.curate.filter",
  formerly: { "research filter": "research curate filter" },
  summary: "Reject what fails criteria that can be counted: year, language, type, citations, retraction.",
  description:
    "Criteria are applied one after the other to papers that are not rejected. Papers accepted by hand are never touched, " +
    "and a paper of which the value is not known passes and is counted, unless --missing exclude says otherwise. Every call is kept in a log.",
  input: z.object({
    year_gte: year.describe("Papers of this year or later pass."),
    year_lte: year.describe("Papers of this year or earlier pass."),
    language: z
      .array(z.string().min(1).max(60))
      .default([])
      .describe("A language that passes: en, or its English name. May be repeated."),
    type: z.array(z.enum(workTypes)).default([]).describe("A kind of work that passes. May be repeated."),
    min_citations: z.int().min(0).optional().describe("The least number of citations the source knows."),
    exclude_retracted: z.boolean().default(false).describe("Retracted works fail."),
    missing: z
      .enum(["keep", "exclude"])
      .default("keep")
      .describe("What happens to papers of which the value is not known."),
    ...waitInput,
  }),
  output: () =>
    z.object({
      run_id: z.string().nullable().describe("The run of this filter; undo it to take it back."),
      steps: z.array(
        z.object({
          name: z.string(),
          criteria: z
            .string()
            .describe("field:operator:value; behind filter: it is the reason of what it rejects."),
          count_before: z.number(),
          count_after: z.number(),
          excluded: z.number(),
          no_data: z.number().describe("Papers of which the value is not known."),
          protected: z.number().describe("Papers that fail and were accepted by hand."),
        }),
      ),
      total_papers: z.number().describe("Active papers, of any status."),
      criteria_applied: z.array(z.string()),
      loop_state: z.string().nullable(),
      round: z.number(),
    }),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  undo: "research.curate.undo",
  errors: [...readErrors, "E_NO_CRITERION", "E_INVALID_VALUE"],
  examples: [
    { title: "English papers since 2010", input: { year_gte: 2010, language: ["en"] } },
    { title: "Reviews only, known ones", input: { type: ["review"], missing: "exclude" } },
  ],
  related: ["research curate accept", "research export", "research curate undo"],
  async run(ctx, given) {
    const { filterPapers } = await import("../curate/filter.ts");
    return filterPapers(ctx, given);
  },
  render(data, style) {
    const width = Math.max(8, ...data.steps.map(({ criteria }) => criteria.length));
    const lines = [
      ...data.steps.map((step) => {
        const notes = [
          ...(step.no_data > 0 ? [`${step.no_data} without the value`] : []),
          ...(step.protected > 0 ? [`${step.protected} kept by hand`] : []),
        ];
        const tail = notes.length > 0 ? style.dim(`  ${notes.join(", ")}`) : "";
        return `${style.bold(step.criteria.padEnd(width))}  ${step.count_before} -> ${step.count_after}${tail}`;
      }),
      ...(data.run_id === null
        ? []
        : [style.dim(`Take it back: writ research curate undo --run ${data.run_id}`)]),
    ];
    return lines.join("\n");
  },
});
