import { z } from "zod";

/** Flags of every command that uses sources. */
export const sourceInput = {
  offline: z
    .boolean()
    .default(false)
    .meta({ env: "WRIT_OFFLINE" })
    .describe("Ask no remote; work from lock and cache."),
  jobs: z
    .int()
    .min(1)
    .max(32)
    .optional()
    .meta({ env: "WRIT_JOBS" })
    .describe("How many sources are fetched at once. Default 8."),
  timeout: z
    .int()
    .min(1)
    .max(86_400)
    .optional()
    .meta({ env: "WRIT_GIT_TIMEOUT" })
    .describe("Seconds a network call of git may take. Default 300."),
};

export type SourceInput = z.output<z.ZodObject<typeof sourceInput>>;
