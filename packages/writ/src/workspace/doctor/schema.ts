import { z } from "zod";

/** What doctor and doctor fix answer. */
export const reportOutput = {
  checks: z
    .array(
      z.object({
        id: z.string().describe("The check; --check takes it."),
        status: z.enum(["ok", "info", "warn", "fail", "skipped"]).describe("What it found."),
        message: z.string().describe("The fact."),
        remediation: z.string().optional().describe("What to do about it."),
        fixable: z.boolean().describe("Whether writ doctor fix would repair it."),
        fixed: z.boolean().describe("Whether this call repaired it."),
      }),
    )
    .describe("Every check, in a fixed order."),
  summary: z
    .object({ ok: z.int(), info: z.int(), warn: z.int(), fail: z.int(), skipped: z.int(), fixed: z.int() })
    .describe("How many checks found what."),
  ok: z.boolean().describe("True when nothing failed."),
};

export const checkInput = z.string().min(1).max(100).optional().describe("Only this check.");
