import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "store.status",
  summary: "Say which database holds Writ's state, how large it is, and where its ledger stands.",
  input: z.object({}),
  output: () => z.object({
    database: z.enum(["sqlite", "postgres"]),
    location: z.string().describe("The file in the workspace, or host and database; never a credential."),
    schema_version: z.int(),
    known_version: z.int().describe("The version this program writes."),
    last_migration: z.object({ version: z.int(), name: z.string(), applied_at: z.string() }).nullable(),
    size_bytes: z.int(),
    rows: z.record(z.string(), z.int()).describe("Rows of this workspace, by table."),
    ledger: z.object({
      seq: z.int(),
      hash: z.string(),
      checkpoint: z.object({ seq: z.int(), at: z.string(), key_id: z.string() }).nullable(),
    }),
  }),
  need: { effect: "observe", network: "never", workspace: "required" },
  errors: ["E_STORE_OUTDATED"],
  examples: [
    { title: "The store of this workspace", input: {} },
    { title: "The same, as JSON: add --json", input: {} },
  ],
  related: ["store backup", "store migrate", "ledger verify"],
  run: async (ctx) => (await ctx.store("read")).status(),
});
