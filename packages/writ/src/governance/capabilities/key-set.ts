import * as z from "zod";
import { capability, fail } from "../../contract/index.ts";

// Longer than any key a service hands out; a file given by mistake is refused rather than stored.
const maxBytes = 64 * 1024;

export default capability({
  id: "key.set",
  summary: "Keep a secret, read from standard input, in the keychain of this machine.",
  description:
    "The secret is never an argument, so it stands in no history and no list of processes. Without a keychain it goes into a file that only you can read. An environment variable of the same name wins over it.",
  input: z.object({
    name: z
      .string()
      .max(64)
      .meta({ positional: 0 })
      .describe("The name of the variable that would hold it, e.g. OPENALEX_API_KEY."),
  }),
  output: () =>
    z.object({
      name: z.string(),
      source: z.enum(["keychain", "file"]).optional().describe("Where it is kept; absent in a dry run."),
    }),
  need: { effect: "local", network: "never", workspace: "none" },
  may: "human",
  on: ["cli"],
  errors: ["E_INVALID_NAME", "E_KEYCHAIN", "E_MISSING_INPUT", "E_HUMAN_REQUIRED", "E_LIMIT"],
  examples: [
    { title: "Type it, then Ctrl-D", input: { name: "OPENALEX_API_KEY" } },
    {
      title: "From another program: pass show openai | writ key set OPENAI_API_KEY",
      input: { name: "OPENAI_API_KEY" },
    },
  ],
  related: ["key list", "key remove"],
  async run(ctx, { name }) {
    const secret = (await (await ctx.open("-")).text(maxBytes)).replace(/\r?\n$/, "");
    if (secret === "") {
      throw fail("E_MISSING_INPUT", {
        message: "No secret came on standard input.",
        cause: "It was empty.",
        remediation: `Give it there: printf %s "$SECRET" | writ key set ${name}`,
        details: { missing: [{ name: "standard input", description: "The secret itself." }] },
      });
    }
    const { openUserKeys } = await import("../user-keys.ts");
    if (ctx.dryRun) return { name, changed: true };
    const { source, changed } = await openUserKeys(ctx).set(name, secret);
    if (source === "file") {
      ctx.warn({
        code: "W_KEY_FILE",
        message: "This machine has no keychain; the key is in a file that only you can read.",
        remediation: "Or give it as a variable where it is needed.",
      });
    }
    return { name, source, changed };
  },
  render: ({ name, source, changed }) => {
    if (source === undefined) return `${name} would be kept on this machine.`;
    const place = source === "keychain" ? "the keychain of this machine" : "a file that only you can read";
    return changed ? `${name} is kept in ${place}.` : `${name} is in ${place} already. Nothing changed.`;
  },
});
