import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderTop } from "../read/top-render.ts";
import { topInput } from "../read/top-shape.ts";

export default capability({
  id: "research.read.top",
  formerly: { "research inspect": "research read top" },
  summary: "Show what stands out: central papers, communities, and what to read first.",
  description:
    "Reads the networks that were built, and says when their papers have changed since. Without one it reckons how papers " +
    "are coupled, and keeps nothing. --by reading gives an order in which no paper comes before one that it cites.",
  input: z.object(topInput),
  output: async () => (await import("../read/top-shape.ts")).topOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: [
    "E_INVALID_VALUE",
    "E_NOT_FOUND",
    "E_LIBRARY_MISSING",
    "E_LIBRARY_CORRUPT",
    "E_STORE_LOCKED",
    "E_UNSAFE_LINK",
    "E_DUCKDB_UNAVAILABLE",
  ],
  examples: [
    { title: "The most central papers", input: {} },
    { title: "What to read, in order", input: { by: "reading", n: 8 } },
    {
      title: "The best of each community with their abstracts",
      input: { by_community: true, fields: ["title", "abstract"] },
    },
  ],
  related: ["research build", "research read list", "research read show"],
  async run(ctx, given) {
    const { readTop } = await import("../read/top.ts");
    return readTop(ctx, given);
  },
  render: (data, style) => renderTop(data, style),
});
