import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "key.list",
  summary: "List the names of keys and where each comes from; never a value.",
  input: z.object({}),
  output: () =>
    z.object({
      keys: z.array(z.object({ name: z.string(), source: z.enum(["environment", "keychain", "file"]) })),
    }),
  need: { effect: "observe", network: "never", workspace: "none" },
  on: ["cli"],
  errors: ["E_KEYCHAIN"],
  examples: [
    { title: "Which keys there are", input: {} },
    { title: "The same, as JSON: add --json", input: {} },
  ],
  related: ["key set", "key remove"],
  async run(ctx) {
    const { openUserKeys } = await import("../user-keys.ts");
    const keys = await openUserKeys(ctx).list();
    return keys.length > 0
      ? { keys }
      : { keys, reason: "No key is kept here.", fix_command: "writ key set NAME" };
  },
  render: (data) =>
    data.keys.length === 0
      ? "No keys."
      : data.keys.map((key) => `${key.name.padEnd(24)} ${key.source}`).join("\n"),
});
