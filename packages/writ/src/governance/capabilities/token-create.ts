import * as z from "zod";
import { capability, fail } from "../../contract/index.ts";
import { roles } from "../roles.ts";
import { parseExpiry } from "../expiry.ts";

export default capability({
  id: "token.create",
  summary: "Make a token with which a person or an agent client may call the server.",
  description:
    "The token is shown once and kept as a hash. Its subject gets one role in this workspace. Each call makes one more token; give --idempotency-key to tell a retry from a new one.",
  input: z.object({
    subject: z
      .string()
      .regex(/^(user|client):[a-z0-9][a-z0-9._-]{0,62}$/)
      .optional()
      .describe("Who it is for: user:NAME or client:NAME. Default: client:ROLE-token."),
    role: z.enum(roles).default("member").describe("What its subject may do in this workspace."),
    agent: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
      .optional()
      .describe("Only for runs of this agent."),
    expires: z
      .string()
      .optional()
      .describe("When it ends: a date or instant (2027-01-31), or a time from now (30d, 12h)."),
  }),
  output: () =>
    z.object({
      id: z.string().optional().describe("The token's id, for revoking; absent in a dry run."),
      token: z.string().optional().meta({ secret: true }).describe("The secret itself; shown this once."),
      subject: z.string().describe("Who it is for."),
      role: z.enum(roles).describe("Its role."),
      expires: z.string().optional().describe("When it ends."),
    }),
  need: { effect: "local", network: "never", workspace: "required" },
  commits: "sql",
  undo: "token.revoke",
  may: "admin",
  errors: ["E_ROLE_REQUIRED", "E_HUMAN_REQUIRED", "E_EXISTS", "E_INVALID_VALUE"],
  examples: [
    {
      title: "A token for a coding agent, for thirty days",
      input: { subject: "client:coder", role: "agent", expires: "30d" },
    },
    { title: "A token for a colleague", input: { subject: "user:ana", role: "member" } },
  ],
  related: ["token list", "token revoke", "serve"],
  async run(ctx, input) {
    if (input.role === "owner" && ctx.caller.role !== "owner") {
      throw fail("E_ROLE_REQUIRED", {
        message: "Only an owner makes an owner's token.",
        cause: `${ctx.caller.actor} is ${ctx.caller.role}.`,
        remediation: "Ask an owner to run: writ token create --role owner",
        details: { actor: ctx.caller.actor, role: ctx.caller.role, needs: "owner" },
      });
    }
    const expiresAt = input.expires === undefined ? undefined : parseExpiry(input.expires, ctx.clock.now());
    const subject = input.subject ?? `client:${input.role}-token`;
    const shown = { subject, role: input.role, ...(expiresAt && { expires: expiresAt }) };
    if (ctx.dryRun) return { changed: true, ...shown };
    const { createToken } = await import("../tokens.ts");
    let rows: Awaited<ReturnType<typeof createToken>>["rows"] = [];
    return ctx.commit(
      () => ({ subjects: [subject], rows, detail: shown }),
      async (db) => {
        const made = await createToken(
          db,
          {
            subject,
            role: input.role,
            ...(input.agent && { agent: input.agent }),
            ...(expiresAt && { expiresAt }),
          },
          ctx,
        );
        rows = made.rows;
        return { id: made.id, token: made.token, ...shown };
      },
    );
  },
  render: (data, style) =>
    [
      data.token
        ? `${style.bold("Token")}    ${data.token}   ${style.dim("(shown this once)")}`
        : "No token was made.",
      `Subject  ${data.subject} (${data.role})`,
      ...(data.id ? [`Revoke   writ token revoke ${data.id}`] : []),
    ].join("\n"),
});
