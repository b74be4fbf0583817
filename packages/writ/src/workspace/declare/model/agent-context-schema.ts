import * as z from "zod";
import { clients } from "../../compose/clients.ts";
import { relativePath } from "./text.ts";

const nativeFormats = [
  "cursor-rules-dir",
  "claude-rules-dir",
  "copilot-instructions-dir",
  "windsurf-rules-dir",
] as const;
const clientIds = clients.map((client) => client.id);

const Mirror = z.union([
  relativePath,
  z.strictObject({
    path: relativePath,
    mode: z
      .enum(["copy", "import"])
      .optional()
      .describe("import writes one line @<canonical>. Default copy."),
  }),
]);

const Extra = z.union([
  z.strictObject({
    path: relativePath,
    header: z
      .boolean()
      .optional()
      .describe("true: a mirror with markers; false: the text alone. Default true."),
  }),
  z.strictObject({
    format: z.enum(nativeFormats).describe("One native file a rule."),
    path: relativePath,
  }),
]);

/** The block `agent_context`, the same in workspace.yml and in the registry. */
export const AgentContextSchema = z.strictObject({
  canonical: relativePath.optional().describe("The context file that holds the text. Default CLAUDE.md."),
  mirrors: z.array(Mirror).max(32).optional().describe("Files that hold the same text. Default [AGENTS.md]."),
  extras: z.array(Extra).max(32).optional().describe("More files, or folders of native rule files."),
  clients: z
    .array(z.enum(clientIds as [string, ...string[]]))
    .max(32)
    .optional()
    .describe("Clients whose files are added. Since writ/1."),
  budget_bytes: z
    .int()
    .min(2048)
    .max(24_576)
    .optional()
    .describe("Size of the generated region. Default 12288. Since writ/1."),
});
