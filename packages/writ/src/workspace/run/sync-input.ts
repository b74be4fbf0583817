import { z } from "zod";
import { conflictInput, waitInput } from "./run-input.ts";
import { sourceInput } from "./source-input.ts";

/** What `sync` may be asked. */
export const syncInput = z.object({
  stack: z.array(z.string()).max(64).default([]).describe("Move only these stacks."),
  ...conflictInput,
  ...sourceInput,
  ...waitInput,
});
