import * as z from "zod";
import { capability } from "../../contract/index.ts";
import { roles } from "../roles.ts";

export default capability({
  id: "token.list",
  summary: "List the tokens that open something; never their secrets.",
  input: z.object({}),
  output: () =>
    z.object({
      tokens: z
        .array(
          z.object({
            id: z.string(),
            subject: z.string(),
            role: z.enum(roles),
            agent: z.string().optional(),
            created: z.string(),
            last_used: z.string().optional(),
            expires: z.string().optional(),
          }),
        )
        .describe("Tokens that are not revoked, oldest first."),
    }),
  need: { effect: "observe", network: "never", workspace: "required" },
  may: "admin",
  holds: "until_commit",
  errors: ["E_ROLE_REQUIRED", "E_HUMAN_REQUIRED"],
  examples: [
    { title: "Who may call this workspace's server", input: {} },
    { title: "The same, as JSON: add --json", input: {} },
  ],
  related: ["token create", "token revoke"],
  async run(ctx) {
    const { listTokens } = await import("../tokens.ts");
    const tokens = await ctx.read(listTokens);
    if (tokens.length > 0) return { tokens };
    return { tokens, reason: "No token has been made here.", fix_command: "writ token create --role member" };
  },
  render: (data) =>
    data.tokens.length === 0
      ? `No tokens. Make one with ${data.fix_command}`
      : data.tokens
          .map(
            (one) => `${one.id}  ${one.subject}  ${one.role}${one.expires ? `  until ${one.expires}` : ""}`,
          )
          .join("\n"),
});
