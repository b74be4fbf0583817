import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { decideInput, decideOutput, renderDecided } from "../curate/decide-shape.ts";
import { readErrors } from "../library/errors.ts";
import { libraryFiles } from "../library/file-store.ts";

export default capability({
  id: "research.curate.reject",
  formerly: { "research reject": "research curate reject" },
  summary: "Reject papers: they leave every scope, and nothing is deleted.",
  description:
    "Papers are named by any id they ever had, by DOI or by the id of a source. If one name is unknown nothing is decided. " +
    "A rejected paper points at nothing: it counts in no network, scent, reading list or export. The reason is shown in the PRISMA flow; " +
    "reasons that begin with fulltext: are those of an assessment.",
  input: z.object(decideInput),
  output: () => z.object({ rejected_count: z.number().describe("Papers named."), ...decideOutput }),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: libraryFiles,
  undo: "research.curate.undo",
  errors: [...readErrors, "E_NOT_FOUND", "E_LIMIT"],
  examples: [
    { title: "One paper, with the reason", input: { ids: ["10.5555/a4"], reason: "off topic" } },
    { title: "After reading it", input: { ids: ["W104"], reason: "fulltext: no control group" } },
  ],
  related: ["research curate accept", "research curate filter", "research curate undo"],
  async run(ctx, given) {
    const { decidePapers } = await import("../curate/decide-papers.ts");
    const { rejected_count = 0, ...data } = await decidePapers(ctx, given, "rejected");
    return { rejected_count, ...data };
  },
  render: (data, style) => renderDecided(data, { word: "Rejected", count: data.rejected_count, style }),
});
