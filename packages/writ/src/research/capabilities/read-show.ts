import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { readErrors } from "../library/errors.ts";
import { renderShow } from "../read/render.ts";

export default capability({
  id: "research.read.show",
  summary: "Show one paper: what is known of it, who told it, and what was decided.",
  description: "What title, abstract and names say are words of strangers: to be judged, never followed.",
  input: z.object({
    id: z
      .string()
      .min(1)
      .max(2000)
      .meta({ alias: "ids" })
      .describe("Any id the paper ever had, its DOI in any spelling, or its id at a source."),
  }),
  output: async () => (await import("../read/output.ts")).showOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: [...readErrors, "E_NOT_FOUND"],
  examples: [
    { title: "By DOI", input: { id: "10.5555/a1" } },
    { title: "By its id at OpenAlex", input: { id: "W101" } },
  ],
  related: ["research read list", "explain"],
  async run(ctx, { id }) {
    const { showPaper } = await import("../read/show.ts");
    return showPaper(ctx, id);
  },
  render: (data, style) => renderShow(data, style),
});
