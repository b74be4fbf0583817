import { z } from "zod";
import { estimateOutput, usageOutput } from "../sources/flags.ts";

const count = z.number().nullable().optional();

const candidate = z.object({
  id: z.string().describe("OpenAlex id, doi:DOI, or another source's id."),
  title: z.string().optional(),
  scent: z.number().describe("How many papers point at it, or seeds it points at."),
  scent_norm: z.number().nullable().describe("The same by the number of papers."),
  backward: z.number(),
  forward: z.number(),
  reasons: z.array(z.string()).describe("The first five of those papers."),
});

/** The shape of `data`; a count that only the network knows is null in a dry run. */
export const chainOutput = z.object({
  preview: z.literal(true).optional(),
  run_id: z.string().nullable().optional(),
  source: z.string().optional(),
  direction: z.enum(["backward", "forward", "both"]).optional(),
  depth: z.number().optional(),
  candidates_found: count.describe("Works that are no papers yet, after the cut."),
  new_candidates: count.describe("Papers that this run added."),
  total_papers: count,
  ranking_preview: z.array(candidate).optional().describe("The first ten."),
  observed_refs_count: count.describe("Works that papers cite and that are no papers."),
  fetched: z
    .object({ asked: z.number(), found: z.number(), missing: z.array(z.string()) })
    .nullable()
    .optional()
    .describe("Cited works that were asked for by name."),
  loop_state: z.string().nullable().optional(),
  round: count,
  saturation: z.number().nullable().optional(),
  enrichment: z
    .object({ refs_resolved: z.number(), refs_total_unique: z.number() })
    .nullable()
    .optional()
    .describe("References of which the DOI is known."),
  since: z.string().optional().describe("The first day of publication that was asked for."),
  new: z
    .array(
      z.object({
        ref: z.string().describe("A reference that a record may cite."),
        title: z.string(),
        year: z.number().nullable(),
        scent: z.number(),
        why: z.string(),
      }),
    )
    .optional(),
  new_total: z.number().optional(),
  equations: z.array(z.object({ equation_id: z.string(), papers_new: z.number() })).optional(),
  estimated_candidates: count,
  by_direction: z.object({ backward: z.number(), forward: z.number() }).optional(),
  forward_upper_bound: count,
  capped_by_max: z.boolean().optional(),
  forward_requires_fetch: z.boolean().optional(),
  forward_from_cited_by: z.boolean().optional(),
  estimate: estimateOutput.optional(),
  usage: usageOutput.optional(),
});

export type ChainData = z.output<typeof chainOutput>;
