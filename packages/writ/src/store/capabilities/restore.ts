import * as z from "zod";
import { capability } from "../../contract/index.ts";

export default capability({
  id: "store.restore",
  summary: "Put a backup in the place of the store of a workspace that has none.",
  description:
    "The file is checked whole first. Nothing is ever overwritten, and another workspace's backup is refused.",
  input: z.object({
    file: z.string().min(1).meta({ positional: 0, local_path: true }).describe("The backup."),
  }),
  output: () =>
    z.object({
      restored: z
        .object({ id: z.string(), name: z.string() })
        .describe("The workspace the backup belongs to."),
      schema_version: z.int(),
    }),
  need: { effect: "local", network: "never", workspace: "required" },
  may: "owner",
  errors: [
    "E_EXISTS",
    "E_NOT_FOUND",
    "E_UNSAFE_PATH",
    "E_HUMAN_REQUIRED",
    "E_ROLE_REQUIRED",
    "DATA_ERROR",
    "E_STORE_NEWER",
  ],
  examples: [
    { title: "After the folder .writ was lost", input: { file: "writ-backup.db" } },
    { title: "Look first, with --dry-run", input: { file: "november.db" } },
  ],
  related: ["store backup", "store status"],
  async run(ctx, { file }) {
    const [{ ownFile }, { restoreStore, checkRestore }] = await Promise.all([
      import("../own-file.ts"),
      import("../restore.ts"),
    ]);
    const path = ownFile(ctx, file);
    const root = ctx.workspace?.root ?? ctx.base;
    if (ctx.dryRun) {
      const { backup } = await checkRestore(path, root);
      return { restored: backup.workspace, schema_version: backup.version, changed: true };
    }
    const restored = await restoreStore(path, root, ctx.clock);
    return { restored: restored.workspace, schema_version: restored.schema_version, changed: true };
  },
});
