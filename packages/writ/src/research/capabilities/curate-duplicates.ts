import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { duplicateKinds } from "../duplicates/proposal.ts";
import { readErrors } from "../library/errors.ts";
import { waitInput } from "../sources/flags.ts";

export default capability({
  id: "research.curate.duplicates",
  summary: "Propose papers, authors, institutions and keywords that may be one and the same.",
  description:
    "Nothing is merged and nothing is stored: a proposal's id follows from what it joins, and merge confirms it. " +
    "Pairs that only look alike, such as type 1 and type 2, are vetoed and shown on demand. Ids of authors are never compared.",
  input: z.object({
    kind: z.array(z.enum(duplicateKinds)).default([]).describe("Only this kind. May be repeated."),
    limit: z
      .int()
      .min(1)
      .max(100_000)
      .default(100)
      .meta({ alias: "n" })
      .describe("The most that are shown, best first."),
    show_vetoed: z.boolean().default(false).describe("Also those that are vetoed, with the veto."),
    ...waitInput,
  }),
  output: () =>
    z.object({
      proposals: z.array(
        z.object({
          proposal: z.string().describe("Give it to merge."),
          kind: z.enum(duplicateKinds),
          keep: z.string(),
          drop: z.string(),
          keep_label: z.string(),
          drop_label: z.string(),
          score: z.number().describe("0 to 100."),
          evidence: z.array(z.string()),
          vetoed: z.string().optional().describe("Why it is not to be merged without more ado."),
        }),
      ),
      count: z.number().describe("Proposals shown."),
      total: z.number().describe("Proposals found."),
      vetoed_count: z.number().describe("Pairs that look alike and are vetoed."),
      compared: z.number().describe("Pairs that were compared."),
      method: z.record(z.string(), z.string()).describe("How pairs are found, and which are missed."),
    }),
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: readErrors,
  examples: [
    { title: "Papers that may be one work", input: { kind: ["paper"] } },
    { title: "Keywords, with what was vetoed", input: { kind: ["keyword"], show_vetoed: true } },
  ],
  related: ["research curate merge", "research read show"],
  async run(ctx, given) {
    const { showDuplicates } = await import("../duplicates/show.ts");
    return showDuplicates(ctx, given);
  },
  render(data, style) {
    if (data.proposals.length === 0) return `${style.green("ok")}  ${data.reason ?? "Nothing is proposed."}`;
    const rows = data.proposals.flatMap((one) => [
      `${style.bold(one.proposal)}  ${one.score.toFixed(2).padStart(6)}  ${one.kind}${one.vetoed ? style.yellow(`  vetoed: ${one.vetoed}`) : ""}`,
      `  keep  ${one.keep_label}  ${style.dim(one.keep)}`,
      `  drop  ${one.drop_label}  ${style.dim(`${one.drop}  ${one.evidence.join(", ")}`)}`,
    ]);
    const more = data.total - data.count;
    return [...rows, ...(more > 0 ? [style.dim(`… and ${more} more; --limit shows them`)] : [])].join("\n");
  },
});
