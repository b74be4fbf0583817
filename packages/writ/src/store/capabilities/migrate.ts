import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "store.migrate",
  summary: "Bring the store to the version this program writes, after a backup beside it.",
  description:
    "Every command that writes does this by itself; this one does only this. On PostgreSQL it also makes the database know this workspace.",
  input: z.object({}),
  output: () =>
    z.object({
      from_version: z.int().describe("Version before; 0 when there was no store."),
      schema_version: z.int().describe("Version now."),
    }),
  need: { effect: "local", network: "never", workspace: "required" },
  may: "admin",
  errors: ["E_STORE_NEWER", "E_HUMAN_REQUIRED", "E_ROLE_REQUIRED"],
  examples: [
    { title: "After an upgrade of Writ", input: {} },
    { title: "See whether it is needed: add --dry-run", input: {} },
  ],
  related: ["store status", "store backup"],
  async run(ctx) {
    const { schemaVersionOf } = await import("../version-of.ts");
    const before = await schemaVersionOf(ctx);
    if (ctx.dryRun || before.stored === before.known) {
      const changed = before.stored !== before.known;
      return {
        from_version: before.stored,
        schema_version: before.known,
        changed,
        ...(!changed && { reason: "The store is up to date." }),
      };
    }
    const status = await (await ctx.store("register")).status();
    return { from_version: before.stored, schema_version: status.schema_version, changed: true };
  },
});
