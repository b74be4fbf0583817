import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { readErrors } from "../library/errors.ts";
import { renderStatus } from "../status/render.ts";

export default capability({
  id: "research.status",
  summary: "Show where the research library and its loop stand, and what may be done next.",
  description:
    "Asks nobody and writes nothing. Every command it names is complete and runs as it is printed; where none exists, it says what is needed.",
  input: z.object({}),
  output: async () => (await import("../status/output.ts")).statusOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: readErrors,
  examples: [
    { title: "Where the library stands", input: {} },
    { title: "What to do next", input: {} },
  ],
  related: ["research read top", "research validate", "status"],
  async run(ctx) {
    const { libraryStatus } = await import("../status/status.ts");
    return libraryStatus(ctx);
  },
  render: (data, style) => renderStatus(data, style),
});
