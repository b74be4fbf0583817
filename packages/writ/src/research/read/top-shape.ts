import { z } from "zod";
import { maturityOutput } from "../builds/maturity.ts";
import { networkKinds } from "../model.ts";

/** By what nodes are ranked. */
export const rankings = ["degree", "strength", "betweenness", "pagerank", "cited", "reading"] as const;

export const topInput = {
  n: z.int().max(10_000).default(10).describe("How many; with --by-community, of each."),
  network: z.string().optional().describe("A network that was built; the coupling network without one."),
  by: z.enum(rankings).default("degree").describe("The ranking; reading is what to read, in order."),
  by_community: z.boolean().default(false).describe("The best of each community, too."),
  fields: z.array(z.string()).max(64).default([]).describe("Columns to show of each paper."),
};
const schema = z.object(topInput);
export type TopInput = z.output<typeof schema>;

const entry = z.looseObject({
  id: z.string(),
  title: z.string().describe("Of a paper its title, of another node its name."),
  degree_centrality: z.number().nullable(),
  community: z.number().optional(),
  value: z.number().describe("What the ranking is by."),
  reasons: z.array(z.string()).optional(),
});

export const topOutput = z.object({
  kind: z.enum(networkKinds),
  network: z
    .string()
    .nullable()
    .describe("The network's name; null when none is built and degree was reckoned now."),
  by: z.enum(rankings),
  top: z.number(),
  central: z.array(entry),
  groups: z.array(z.object({ community: z.number(), size: z.number(), papers: z.array(entry) })).optional(),
  cocitation: z
    .array(
      z.object({
        source: z.string(),
        source_title: z.string(),
        target: z.string(),
        target_title: z.string(),
        weight: z.number(),
      }),
    )
    .describe("Papers cited together most often."),
  reason: z.string().optional().describe("Why nothing stands out, or what the order of reading lacks."),
  fix_command: z.string().optional(),
  stale: z.boolean(),
  maturity: maturityOutput,
});
export type TopData = z.output<typeof topOutput>;
