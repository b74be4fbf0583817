import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { duplicateKinds } from "../duplicates/proposal.ts";
import { readErrors } from "../library/errors.ts";
import { libraryFiles } from "../library/file-store.ts";
import { waitInput } from "../sources/flags.ts";

export default capability({
  id: "research.curate.merge",
  summary: "Confirm that two papers, authors, institutions or keywords are one.",
  description:
    "Papers: the records of the one join those of the other, decisions are united, and every old id still leads there. " +
    "Authors, institutions and keywords: networks count them as one; papers keep their own words. All of it can be undone.",
  input: z.object({
    proposal: z
      .array(z.string().regex(/^mrg_[0-9a-f]{16}$/))
      .default([])
      .describe("A proposal of curate duplicates. May be repeated."),
    kind: z.enum(duplicateKinds).optional().describe("What --keep and --drop name."),
    keep: z.string().min(1).max(2000).optional().describe("What the two are from now on."),
    drop: z.string().min(1).max(2000).optional().describe("What it was called besides."),
    force: z.boolean().default(false).describe("Merge although the pair is vetoed."),
    ...waitInput,
  }),
  output: () =>
    z.object({
      run_id: z.string().nullable().describe("The run of this merge; undo it to take it back."),
      merged: z.array(
        z.object({
          proposal: z.string(),
          kind: z.enum(duplicateKinds),
          keep: z.string(),
          drop: z.string(),
          score: z.number().nullable(),
        }),
      ),
      papers_changed: z.number().nullable(),
      total_papers: z.number().nullable().describe("Active papers, of any status."),
    }),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  undo: "research.curate.undo",
  errors: [...readErrors, "E_MISSING_INPUT", "E_CONFLICTING_INPUT", "E_NOT_FOUND", "E_INVALID_VALUE"],
  examples: [
    { title: "Confirm a proposal", input: { proposal: ["mrg_0123456789abcdef"] } },
    { title: "Say it yourself", input: { kind: "keyword", keep: "neural network", drop: "neural nets" } },
  ],
  related: ["research curate duplicates", "research curate undo"],
  async run(ctx, given) {
    const { merge } = await import("../duplicates/merge.ts");
    return merge(ctx, given);
  },
  render(data, style) {
    if (data.changed === false) return `${style.green("ok")}  ${data.reason ?? "Nothing changed."}`;
    const lines = [
      ...data.merged.map(({ kind, keep, drop }) => `${style.bold("Merged")}  ${kind}  ${drop} -> ${keep}`),
      ...(data.run_id === null
        ? []
        : [style.dim(`Take it back: writ research curate undo --run ${data.run_id}`)]),
    ];
    return lines.join("\n");
  },
});
