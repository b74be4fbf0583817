import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "store.status",
  summary: "Say which database holds Writ's state, how large it is, and where its ledger stands.",
  input: z.object({}),
  output: () =>
    z.object({
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
  render(data, style) {
    const { database, location, schema_version, known_version, last_migration, size_bytes, rows, ledger } =
      data;
    const counts = Object.entries(rows).filter(([, count]) => count > 0);
    const known =
      schema_version === known_version ? "as this program writes it" : `this program writes ${known_version}`;
    const { seq, hash, checkpoint } = ledger;
    const lines = {
      Database: `${database === "sqlite" ? "SQLite" : "PostgreSQL"}   ${location}   ${Math.ceil(size_bytes / 1024)} KiB`,
      Schema: `version ${schema_version}, ${known}${last_migration ? `; migrated ${last_migration.applied_at}` : ""}`,
      Ledger:
        seq === 0
          ? "no events"
          : `${seq} ${seq === 1 ? "event" : "events"}, the last one ${hash.slice(0, 12)}`,
      Checkpoint: checkpoint
        ? `event ${checkpoint.seq}, ${checkpoint.at}, key ${checkpoint.key_id}`
        : "none yet",
      Rows: counts.map(([table, count]) => `${table} ${count}`).join(", ") || "none",
    };
    return Object.entries(lines)
      .map(([name, text]) => `${style.bold(name.padEnd(10))}  ${text}`)
      .join("\n");
  },
});
