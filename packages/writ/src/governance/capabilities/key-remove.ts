import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "key.remove",
  summary: "Forget a key that was kept here.",
  input: z.object({ name: z.string().max(64).meta({ positional: 0 }).describe("The key's name.") }),
  output: () => z.object({ name: z.string() }),
  need: { effect: "local", network: "never", workspace: "none" },
  may: "human",
  on: ["cli"],
  errors: ["E_INVALID_NAME", "E_KEYCHAIN", "E_HUMAN_REQUIRED"],
  examples: [
    { title: "Forget one", input: { name: "OPENALEX_API_KEY" } },
    { title: "Again: it says that nothing is kept", input: { name: "OPENALEX_API_KEY" } },
  ],
  related: ["key list", "key set"],
  async run(ctx, { name }) {
    const { openUserKeys } = await import("../user-keys.ts");
    const keys = openUserKeys(ctx);
    const kept = (await keys.list()).some((key) => key.name === name && key.source !== "environment");
    if (ctx.dryRun) return { name, changed: kept };
    const changed = await keys.remove(name);
    return { name, changed, ...(!changed && { reason: "No key of that name is kept here." }) };
  },
});
