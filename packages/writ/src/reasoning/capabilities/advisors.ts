import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { renderAdvisors } from "../surface/render.ts";

export default capability({
  id: "reasoning.advisors",
  summary: "Show who can be asked for an independent view, and why the others cannot.",
  description:
    "Derived from what this machine has, from the mode, the settings and what was recorded. Nobody is contacted: that an advisor does not answer is found by asking it. Without any advisor Writ works all the same.",
  input: z.object({}),
  output: async () => (await import("../surface/outputs.ts")).advisorsOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: ["E_CATALOGUE_INVALID", "E_TASK_ID_INVALID", "E_LIMIT", "E_UNSAFE_LINK"],
  examples: [
    { title: "Who is there", input: {} },
    { title: "Before asking one", input: {} },
  ],
  related: ["reasoning plan", "reasoning consult", "doctor"],
  async run(ctx) {
    const { readAdvisors } = await import("../surface/read.ts");
    return readAdvisors(ctx);
  },
  render: (data, style) => renderAdvisors(data, style),
});
