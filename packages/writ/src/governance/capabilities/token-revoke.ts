import * as z from "zod";
import { capability } from "../../contract/index.ts";
import type { NamedRow } from "../../ledger/index.ts";

export default capability({
  id: "token.revoke",
  summary: "Revoke a token, or every token of a subject; it counts from the next call on.",
  input: z.object({
    id: z.string().max(100).optional().meta({ positional: 0 }).describe("The token's id, from token list."),
    subject: z.string().max(100).optional().describe("Revoke every token of this subject instead."),
  }),
  output: () => z.object({ revoked: z.array(z.string()).describe("Ids of the tokens this call revoked.") }),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: "sql",
  may: "admin",
  errors: [
    "E_ROLE_REQUIRED",
    "E_HUMAN_REQUIRED",
    "E_NOT_FOUND",
    "E_LAST_OWNER",
    "E_MISSING_INPUT",
    "E_CONFLICTING_INPUT",
  ],
  examples: [
    { title: "Revoke one token", input: { id: "tok_0193b8a0-7c1e-7000-8000-000000000000" } },
    { title: "Revoke every token of a client", input: { subject: "client:coder" } },
  ],
  related: ["token list", "token create"],
  async run(ctx, input) {
    const { findRevocable, revokeAlone } = await import("../revoke-tokens.ts");
    const found = await ctx.read((db) => findRevocable(db, input, ctx.caller));
    if (found.length === 0) return { revoked: [], changed: false, reason: "They were revoked before." };
    const revoked = found.map((token) => token.id);
    if (ctx.dryRun) return { revoked, changed: true };
    let rows: NamedRow[] = [];
    return ctx.commit(
      () => ({ subjects: revoked, rows }),
      async (db) => {
        const done = await revokeAlone(db, input, ctx.caller);
        rows = done.rows;
        return { revoked: done.revoked };
      },
    );
  },
  render: (data) => (data.revoked.length === 0 ? "Nothing to revoke." : `Revoked ${data.revoked.join(", ")}`),
});
