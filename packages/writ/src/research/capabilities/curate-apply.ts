import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { byInput } from "../curate/decide-shape.ts";
import { readErrors } from "../library/errors.ts";
import { libraryFiles } from "../library/file-store.ts";
import { waitInput } from "../sources/flags.ts";

export default capability({
  id: "research.curate.apply",
  summary: "Take decisions and notes from a file that dump wrote and somebody filled in.",
  description:
    "Rows are matched by id, else doi, else source_id; other columns may be moved, missing or added. undecided and blank change nothing. " +
    "A word that is no decision, or one paper accepted on one line and rejected on another, and nothing of the file is applied.",
  input: z.object({
    file: z
      .string()
      .min(1)
      .meta({ positional: 0, local_path: true })
      .describe("The CSV file; - is standard input."),
    ...byInput,
    ...waitInput,
  }),
  output: () =>
    z.object({
      run_id: z.string().nullable().describe("The run that decided; null where nothing was written."),
      accepted_count: z.number(),
      rejected_count: z.number(),
      skipped_count: z.number().describe("Rows without a decision."),
      not_found_count: z.number(),
      notes_count: z.number().describe("Notes that are new."),
      total_rows: z.number(),
      not_found: z.array(z.string()).describe("The first thousand names that are of no paper."),
    }),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  undo: "research.curate.undo",
  errors: [...readErrors, "E_NOT_FOUND", "E_UNSAFE_PATH", "E_CSV_DECISION", "E_CSV_CONFLICT", "DATA_ERROR"],
  examples: [
    { title: "Take what was decided", input: { file: "curation.csv" } },
    { title: "See what it would do, for a colleague", input: { file: "from-bo.csv", by: "Bo Chen" } },
  ],
  related: ["research curate dump", "research curate undo"],
  async run(ctx, given) {
    const { applyFile } = await import("../curate/apply.ts");
    return applyFile(ctx, given);
  },
  render(data, style) {
    const rows = [
      `${style.bold("Accepted")}   ${data.accepted_count}`,
      `${style.bold("Rejected")}   ${data.rejected_count}`,
      `${style.bold("Undecided")}  ${data.skipped_count}`,
      `${style.bold("Notes")}      ${data.notes_count}`,
    ];
    if (data.not_found_count > 0) {
      const shown = data.not_found.slice(0, 5).join(", ");
      rows.push(`${style.yellow("Unknown")}    ${data.not_found_count}  ${shown}`);
    }
    if (data.changed === false) rows.push(style.dim(data.reason ?? "Nothing changed."));
    else if (data.run_id !== null) {
      rows.push(style.dim(`Take it back: writ research curate undo --run ${data.run_id}`));
    }
    return rows.join("\n");
  },
});
