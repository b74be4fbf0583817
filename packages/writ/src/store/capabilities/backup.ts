import * as z from "zod";
import { capability, fail } from "../../contract/index.ts";

export default capability({
  id: "store.backup",
  summary: "Copy the store to a file, consistent while others write.",
  input: z.object({
    out: z
      .string()
      .default("writ-backup.db")
      .meta({ local_path: true })
      .describe("The file to write; must not exist."),
  }),
  output: () => z.object({ backup_file: z.string(), bytes: z.int() }),
  need: { effect: "local", network: "never", workspace: "required" },
  may: "admin",
  errors: [
    "E_EXISTS",
    "E_NOT_FOUND",
    "E_UNSAFE_PATH",
    "E_HUMAN_REQUIRED",
    "E_ROLE_REQUIRED",
    "E_INVALID_VALUE",
  ],
  examples: [
    { title: "Back up before an upgrade", input: {} },
    { title: "To a named file", input: { out: "november.db" } },
  ],
  related: ["store restore", "store status", "ledger export"],
  async run(ctx, { out }) {
    const { ownOutput } = await import("../own-file.ts");
    const path = await ownOutput(ctx, out);
    if (ctx.settings.env("WRIT_DATABASE_URL") !== undefined) throw onServer();
    if (ctx.dryRun) return { backup_file: out, bytes: 0, changed: true };
    const made = await (await ctx.store("write")).backup(path);
    return { backup_file: out, bytes: made.bytes, changed: true };
  },
});

function onServer() {
  return fail("E_INVALID_VALUE", {
    message: "This store is a PostgreSQL database; it is backed up with PostgreSQL's own tool.",
    cause:
      "WRIT_DATABASE_URL names a server. pg_dump needs a role that sees every workspace: a superuser, or BYPASSRLS.",
    remediation: 'pg_dump --format=custom --file=writ.dump "$WRIT_DATABASE_URL"',
  });
}
