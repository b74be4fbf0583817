import { z } from "zod";
import { conflictInput, waitInput } from "./run-input.ts";
import { sourceInput } from "./source-input.ts";

/** What `bootstrap` may be asked. */
export const bootstrapInput = z.object({
  update: z
    .boolean()
    .default(false)
    .meta({ alias: "update-locks" })
    .describe("Resolve anew, move the lock, and fast-forward clean repositories."),
  stack: z.array(z.string()).max(64).default([]).describe("Limit an update to these stacks."),
  frozen: z.boolean().default(false).describe("Refuse any change of the lock."),
  ...conflictInput,
  prune: z
    .boolean()
    .default(false)
    .describe("Remove clones that are no longer declared and hold nothing of yours."),
  discard_ignored: z.boolean().default(false).describe("Let --prune remove clones that hold ignored files."),
  undo: z.boolean().default(false).describe("Take the last changing run back; alone."),
  ...sourceInput,
  ...waitInput,
});

export type BootstrapInput = z.output<typeof bootstrapInput>;
