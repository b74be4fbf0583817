import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { readErrors } from "../library/errors.ts";
import { renderStatus } from "../status/render.ts";

export default capability({
  id: "research.status",
  summary: "Show where the research library and its loop stand, and what may be done next.",
  description:
    "Asks nobody and writes nothing. Every command it names is complete and runs as it is printed; where none exists, it says what is needed. " +
    "Its newest runs are those that curate undo takes; one that stopped on its way is told with the command that goes on and the one that gives it up.",
  input: z.object({
    runs: z.int().min(0).max(10_000).default(5).describe("How many of the newest runs are told."),
  }),
  output: async () => (await import("../status/output.ts")).statusOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: readErrors,
  examples: [
    { title: "Where the library stands", input: {} },
    { title: "What ran so far", input: { runs: 100 } },
  ],
  related: ["research curate undo", "research read top", "research validate", "status"],
  async run(ctx, { runs }) {
    const { libraryStatus } = await import("../status/status.ts");
    return libraryStatus(ctx, runs);
  },
  render: (data, style) => renderStatus(data, style),
});
