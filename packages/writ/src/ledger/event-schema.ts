import * as z from "zod";

/** An event as commands show it. */
export const eventSchema = z.object({
  seq: z.int().describe("Place in the chain, from 1."),
  id: z.string(),
  workspace: z.string(),
  at: z.string(),
  actor: z.string().describe("Who did it."),
  acts_for: z.string().nullable().describe("For whom."),
  run: z.string().optional(),
  manifest: z.string().optional(),
  kind: z.string(),
  capability: z.string().optional(),
  subjects: z.array(z.string()),
  outcome: z.string(),
  code: z.string().optional(),
  rows: z.array(z.object({ table: z.string(), id: z.string(), hash: z.string() })),
  payload_hash: z.string().optional(),
  prev_hash: z.string(),
  hash: z.string(),
});

export const headSchema = z.object({ seq: z.int(), hash: z.string() });
