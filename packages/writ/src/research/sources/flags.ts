import { z } from "zod";

/** Flags of every command that may ask a source. */
export const networkInput = {
  source: z
    .enum(["openalex", "crossref", "semanticscholar"])
    .optional()
    .describe("Which service is asked. Default openalex."),
  offline: z
    .boolean()
    .default(false)
    .meta({ env: "WRIT_OFFLINE" })
    .describe("Ask nobody; work from the answers that are kept."),
  refresh: z.boolean().default(false).describe("Ask again although an answer is kept."),
  resume: z
    .boolean()
    .default(true)
    .describe("Go on with an unfinished run of the same command; --no-resume begins anew."),
  max_cost_usd: z
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe("Send no request that would make this call cost more."),
  max_wait: z
    .int()
    .min(0)
    .max(86_400)
    .default(60)
    .describe("The longest wait, in seconds, that a source may ask for."),
  email: z
    .string()
    .min(1)
    .max(320)
    .optional()
    .meta({ env: "WRIT_OPENALEX_EMAIL" })
    .describe("Your address, told to OpenAlex and Crossref."),
};

export type NetworkInput = z.output<z.ZodObject<typeof networkInput>>;

/** The flag of every command that writes the library. */
export const waitInput = {
  wait: z
    .int()
    .min(0)
    .max(3600)
    .default(30)
    .describe("Seconds to wait for another command that works on the library."),
};

/** What a call asked of a source, in every answer of a command that may ask one. */
export const usageOutput = z
  .object({
    source: z.string(),
    requests: z.number().describe("Requests sent, each with all its attempts."),
    from_store: z.number().describe("Answers that were kept from earlier."),
    oldest_page_at: z.string().optional().describe("When the oldest of those was fetched."),
    attempts: z.number(),
    cost_usd: z.number(),
    credits: z.number(),
    remaining_usd: z.number().optional(),
    remaining_credits: z.number().optional(),
    resets_in_seconds: z.number().optional(),
    key_used: z.boolean(),
    ms: z.number(),
  })
  .describe("What was asked of the source, and what it cost.");

/** What fetching would take, as one request tells it. */
export const estimateOutput = z
  .object({
    results: z.number().describe("Works that the source knows."),
    pages: z.number().describe("Requests that fetching takes."),
    cost_usd: z.number(),
    assumed: z.boolean().describe("True when no price was seen."),
    seconds: z.number(),
  })
  .describe("What the command would take.");
