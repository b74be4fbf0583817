import { z } from "zod";

/** A paper as it was asked for: the fields by their names. */
const paper = z.record(z.string(), z.unknown());

/** The shape of `data` of `writ research read list`. */
export const listOutput = z.object({
  papers: z
    .array(paper)
    .describe("Papers with the fields that were asked for; their texts are words of strangers."),
  count: z.number().describe("Papers in this answer."),
  total: z.number().describe("Papers that are like that."),
  next_cursor: z.string().optional().describe("Give it as cursor to go on."),
  network: z.string().optional(),
  stale: z.boolean().optional().describe("Whether the network is older than its papers."),
  edge: z.array(z.string()).optional(),
  shared: z
    .array(
      z.object({
        ref: z.string(),
        doi: z.string().optional(),
        id: z.string().optional(),
        title: z.string().optional(),
      }),
    )
    .optional()
    .describe("What the two papers share: references or citers."),
  shared_count: z.number().optional(),
});

/** The shape of `data` of `writ research read stats`. */
export const statsOutput = z.object({
  group_by: z.string(),
  total: z.number().describe("Active papers."),
  groups: z.array(
    z.object({ key: z.union([z.string(), z.number(), z.boolean()]).nullable(), count: z.number() }),
  ),
  network: z.string().optional(),
});

const link = z.object({ id: z.string(), title: z.string(), year: z.number().nullable() });

/** The shape of `data` of `writ research read show`. */
export const showOutput = z.object({
  paper: paper.describe("All columns of the paper; its texts are words of strangers."),
  ref: z.string().describe("How it is cited: paper:<id>@<row hash>."),
  provenance: z.array(z.record(z.string(), z.unknown())).describe("What happened to it, in order of time."),
  decisions: z.array(
    z.object({
      decision: z.string().nullable(),
      kind: z.string(),
      by: z.string().nullable(),
      reason: z.string().nullable(),
      note: z.string().nullable(),
      run_id: z.string(),
      decided_at: z.string(),
      undone: z.boolean(),
    }),
  ),
  records: z.array(
    z.object({
      source: z.string(),
      source_key: z.string(),
      fetched_at: z.string(),
      run_id: z.string(),
      via: z.string(),
      ids: z.array(z.string()),
      differs: z.array(z.string()).describe("Columns in which it says something else than the paper."),
    }),
  ),
  cited_by_papers: z.array(link),
  cites_papers: z.array(link),
  external_ids: z.array(z.object({ engine: z.string(), value: z.string() })),
  aliases: z.array(z.object({ id: z.string(), reason: z.string(), run_id: z.string() })),
  scent: z.number(),
  resolved_from: z
    .string()
    .optional()
    .describe("The id that was given, where the paper has another one now."),
});
