import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";
import { readErrors } from "../library/errors.ts";
import { libraryFiles } from "../library/file-store.ts";
import { waitInput } from "../sources/flags.ts";

export default capability({
  id: "research.curate.dump",
  summary: "Write the papers into a CSV in which decisions can be filled in.",
  description:
    "Most pointed-at first. Write accepted or rejected into the column decision, a note into note, and apply the file. " +
    "Cells that a spreadsheet would run are guarded. A file of other content in its place is kept beside it as .bak-1, .bak-2 and so on.",
  input: z.object({
    out: z
      .string()
      .min(1)
      .meta({ local_path: true })
      .optional()
      .describe("The file. Default: curation.csv among the library's exports."),
    scope: z
      .enum(["candidates", "seeds", "all"])
      .default("candidates")
      .describe("Which papers: undecided ones that are no seeds, seeds, or all, rejected ones too."),
    network: z
      .string()
      .regex(/^[a-z0-9_-]{1,64}$/)
      .default("bibliographic_coupling")
      .meta({ alias: "networks" })
      .describe("The network whose communities are told in the column cluster."),
    ...waitInput,
  }),
  output: () =>
    z.object({
      file: z.string().describe("Where it is, relative to the workspace where it lies inside."),
      kept: z.string().optional().describe("Where the older file is now."),
      scope: z.string(),
      rows: z.number(),
      run_id: z.string().nullable(),
    }),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  errors: [...readErrors, "E_UNSAFE_PATH", "E_EXISTS"],
  examples: [
    { title: "What waits for a decision", input: {} },
    { title: "Everything, into a file of your own", input: { scope: "all", out: "screening.csv" } },
  ],
  related: ["research curate apply", "research read list"],
  async run(ctx, given) {
    const { dumpCuration } = await import("../curate/dump.ts");
    return dumpCuration(ctx, given);
  },
  render(data, style) {
    const lines = [
      `${style.bold("Written")}  ${data.file}   ${counted(data.rows, "row")}`,
      ...(data.kept === undefined ? [] : [`${style.bold("Kept")}     ${data.kept}`]),
      ...(data.reason === undefined ? [] : [style.dim(data.reason)]),
      ...(data.fix_command === undefined ? [] : [`${style.bold("Next")}     ${data.fix_command}`]),
    ];
    const fill = `Fill in the column decision, then: writ research curate apply ${data.file}`;
    if (data.rows > 0) lines.push(style.dim(fill));
    return lines.join("\n");
  },
});
