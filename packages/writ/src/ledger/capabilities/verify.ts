import { resolve } from "node:path";
import * as z from "zod";
import { capability, type Context } from "../../contract/index.ts";
import { headSchema } from "../event-schema.ts";

export default capability({
  id: "ledger.verify",
  summary: "Recompute the ledger: every event, link, checkpoint and named row.",
  description:
    "Finds an event that was changed, removed or moved, a chain that was cut, and a row that differs from what its newest event says. An export is checked without a store.",
  input: z.object({
    file: z
      .string()
      .optional()
      .meta({ local_path: true })
      .describe("Check this export instead of the store."),
    from: z.int().min(1).optional().describe("Begin at this event; the ones before are taken as they are."),
  }),
  output: () =>
    z.object({
      ok: z.boolean().describe("True when nothing is wrong."),
      events: z.int().describe("How many events were looked at."),
      head: headSchema,
      checkpoints: z.object({ count: z.int(), signed: z.int(), unknown_key: z.int() }),
      redacted: z.int().describe("Payloads that were erased, by events of their own."),
      findings: z.array(
        z.object({
          seq: z.int(),
          kind: z.enum(["MODIFIED", "MISSING", "REORDERED", "TRUNCATED", "CHECKPOINT_MISMATCH"]),
          message: z.string(),
          table: z.string().optional(),
          row: z.string().optional(),
        }),
      ),
    }),
  need: { effect: "observe", network: "never", workspace: "optional" },
  errors: ["E_LEDGER_BROKEN", "E_NO_WORKSPACE", "E_NOT_FOUND", "E_UNSAFE_PATH"],
  examples: [
    { title: "Verify this workspace's ledger", input: {} },
    { title: "Verify an export on another machine", input: { file: "ledger.jsonl" } },
  ],
  related: ["ledger list", "ledger export"],
  async run(ctx, { file, from }) {
    const { ledgerBroken } = await import("../verify.ts");
    const verdict = file === undefined ? await verifyHere(ctx, from) : await verifyThere(ctx, file);
    if (verdict.ok) return verdict;
    throw ledgerBroken(verdict);
  },
  render: ({ events, checkpoints: { count } }) =>
    `The ledger is whole: ${events} ${events === 1 ? "event" : "events"}, ${count} ${count === 1 ? "checkpoint" : "checkpoints"}.`,
});

async function verifyHere(ctx: Context, from: number | undefined) {
  const [{ verifyLedger }, { witnessOf }, { installationWitness }, { noWorkspace }] = await Promise.all([
    import("../verify.ts"),
    import("../witness-of.ts"),
    import("../installation.ts"),
    import("../no-workspace.ts"),
  ]);
  if (!ctx.workspace) throw noWorkspace(ctx.base);
  return ctx.read(async (db) => {
    const known = await witnessOf(installationWitness(ctx), db);
    return verifyLedger(db, { ...known, ...(from !== undefined && { from }) });
  });
}

async function verifyThere(ctx: Context, file: string) {
  const { verifyFile } = await import("../verify-file.ts");
  // Opened through the one checked way first, so that no caller reaches a file it may not name.
  await ctx.open(file);
  return verifyFile(resolve(ctx.base, file));
}
