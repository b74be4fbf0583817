import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { decideInput, decideOutput, renderDecided } from "../curate/decide-shape.ts";
import { readErrors } from "../library/errors.ts";
import { libraryFiles } from "../library/file-store.ts";

export default capability({
  id: "research.curate.accept",
  formerly: { "research accept": "research curate accept" },
  summary: "Accept papers: they stay, whatever a filter says.",
  description:
    "Papers are named by any id they ever had, by DOI or by the id of a source. If one name is unknown nothing is decided. " +
    "The last decision by hand counts, and beats every filter before and after it.",
  input: z.object(decideInput),
  output: () => z.object({ accepted_count: z.number().describe("Papers named."), ...decideOutput }),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  undo: "research.curate.undo",
  errors: [...readErrors, "E_NOT_FOUND", "E_LIMIT"],
  examples: [
    { title: "Two papers, by DOI and by OpenAlex id", input: { ids: ["10.5555/a1", "W104"] } },
    { title: "With a note for later", input: { ids: ["W104"], note: "compare with the 2019 trial" } },
  ],
  related: ["research curate reject", "research curate dump", "research curate undo"],
  async run(ctx, given) {
    const { decidePapers } = await import("../curate/decide-papers.ts");
    const { accepted_count = 0, ...data } = await decidePapers(ctx, given, "accepted");
    return { accepted_count, ...data };
  },
  render: (data, style) => renderDecided(data, { word: "Accepted", count: data.accepted_count, style }),
});
