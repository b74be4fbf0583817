import { z } from "zod";
import { sourceInput } from "../run/source-input.ts";

/** What `status` may be asked. */
export const statusInput = z.object({
  fetch: z.boolean().default(false).describe("Ask the remotes what they have now; adds to the cache only."),
  exit_code: z.boolean().default(false).describe("Fail with E_DRIFT when anything differs."),
  ...sourceInput,
});
