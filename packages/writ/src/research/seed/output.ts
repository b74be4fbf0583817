import { z } from "zod";
import { estimateOutput, usageOutput } from "../sources/flags.ts";

const count = z.number().nullable().optional();

const reportItem = z.object({
  construct: z.string(),
  text: z.string().describe("As typed."),
  position: z.number().nullable().describe("Where it begins in the equation, from 0."),
  action: z.enum(["kept", "rewritten", "dropped"]),
  effect: z.enum(["same", "broader", "narrower", "unknown"]).describe("What it does to the set of results."),
  reason: z.string(),
});

const skippedItem = z.object({
  where: z.string(),
  entry: z.number().optional().describe("Its number in the file, from 1."),
  line: z.number().optional(),
  reason: z.string(),
});

/** The shape of `data`; a count that only the network knows is null in a dry run. */
export const seedOutput = z.object({
  preview: z.literal(true).optional(),
  run_id: z.string().nullable().optional(),
  source: z.string().optional(),
  source_version: z.string().nullable().optional().describe("The version of the source's data."),
  equation_id: z.string().nullable().optional(),
  executed_query: z.string().optional().describe("The query as it was sent."),
  translation_report: z.array(reportItem).optional().describe("What was not sent exactly as typed."),
  requests_planned: z.number().optional().describe("Series of requests."),
  papers_found: count.describe("Works that the source knows."),
  papers_fetched: count,
  papers_new: count,
  papers_updated: count,
  papers_added: count.describe("The same number as papers_new."),
  total_papers: count.describe("Active papers, of any status."),
  round: count,
  loop_state: z.string().nullable().optional(),
  reseeded: z.boolean().optional(),
  skipped: z.array(skippedItem).optional().describe("What is no record, and why."),
  skipped_total: z.number().optional(),
  possible_duplicates: count,
  saturation: z.number().nullable().optional(),
  format: z.string().optional(),
  entries: z.number().optional().describe("Entries of the file."),
  same_work: z
    .object({
      in_file: z.number().describe("The same work as another entry."),
      in_library: z.number().describe("A work that the library had."),
    })
    .optional()
    .describe("Entries that made no new paper; with papers_new and the skipped they are all entries."),
  references: z
    .object({ with_id: z.number(), with_doi: z.number(), text_only: z.number() })
    .optional()
    .describe("References that the file names."),
  resolve: z
    .object({
      resolved: z.number(),
      total_with_doi: z.number(),
      already_resolved: z.number(),
      total_papers: z.number(),
    })
    .nullable()
    .optional()
    .describe("What looking up DOIs brought."),
  estimate: estimateOutput.optional(),
  usage: usageOutput.optional(),
});

export type SeedData = z.output<typeof seedOutput>;
