import { z } from "zod";
import { capability } from "../../contract/index.ts";
import { readErrors } from "../library/errors.ts";

export default capability({
  id: "research.validate",
  summary: "Check that the research library agrees with itself.",
  description:
    "Looks at columns, words, aligned lists, identities, aliases, merges and stored answers, and computes papers again: all up to 10,000, else a sample of 10,000 and those of the last run. Writes nothing.",
  input: z.object({
    full: z.boolean().default(false).describe("Compute every paper again, however many there are."),
  }),
  output: async () => (await import("../validate/output.ts")).validateOutput,
  need: { effect: "observe", network: "never", workspace: "required" },
  heavy: true,
  errors: [...readErrors, "E_LIBRARY_INVALID", "E_CANCELLED"],
  examples: [
    { title: "Check the library", input: {} },
    { title: "Every paper", input: { full: true } },
  ],
  related: ["research status", "doctor"],
  async run(ctx, { full }) {
    const { validateLibrary } = await import("../validate/validate.ts");
    return validateLibrary(ctx, { full });
  },
  render(data, style) {
    return data.valid
      ? `${style.green("ok")}  ${data.total_papers} papers, ${data.checked} of them computed again, ${data.pages} stored answers read`
      : data.issues
          .map((one) => `${style.red(one.code)}  ${one.paper ?? one.column ?? ""}  ${one.message}`)
          .join("\n");
  },
});
