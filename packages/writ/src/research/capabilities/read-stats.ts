import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { readErrors } from "../library/errors.ts";
import { renderStats } from "../read/render.ts";

export default capability({
  id: "research.read.stats",
  summary: "Count the papers of the library by what they have in common.",
  input: z.object({
    group_by: z
      .string()
      .max(100)
      .default("status")
      .describe("status, year, decade, is_seed, language, type, source, venue, community or run."),
    network: z
      .string()
      .max(100)
      .optional()
      .meta({ alias: "networks" })
      .describe("With --group-by community: of this network. Default: bibliographic_coupling."),
  }),
  output: async () => (await import("../read/output.ts")).statsOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: [...readErrors, "USAGE_ERROR", "E_NOT_FOUND", "E_NO_NETWORKS"],
  examples: [
    { title: "How many of each status", input: {} },
    { title: "How many of each year", input: { group_by: "year" } },
  ],
  related: ["research read list", "research status"],
  async run(ctx, { group_by, network }) {
    const { countPapers } = await import("../read/stats.ts");
    return countPapers(ctx, group_by, network);
  },
  render: (data, style) => renderStats(data, style),
});
