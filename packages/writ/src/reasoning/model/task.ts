import * as z from "zod";

/** One task, as its file keeps it. */
export const TaskState = z.strictObject({
  schema: z.literal("writ/task"),
  version: z.literal(1),
  id: z.string(),
  title: z.string().optional(),
  profile: z.string().describe("Decides the mode, unless something stronger does."),
  client: z.string().optional().describe("The client whose model is asking."),
  opened_at: z.string(),
  closed_at: z.string().optional(),
  opened_head: z.string().optional(),
  closed_head: z.string().optional(),
  actor: z.string(),
  act: z.string().describe("The act that changed it last."),
});
export type TaskState = z.output<typeof TaskState>;
