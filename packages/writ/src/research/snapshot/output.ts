import { z } from "zod";
import { maturityOutput } from "../builds/maturity.ts";

/** The shape of `data` of `writ research snapshot create`. */
export const createOutput = z.object({
  snapshot_dir: z.string().describe("The snapshot's folder, relative to the workspace where it lies inside."),
  corpus_hash: z.string(),
  total_papers: z.number(),
  schema_version: z.string(),
  maturity: maturityOutput,
  bytes: z.number().nullable(),
});

/** The shape of `data` of `writ research snapshot restore`. */
export const restoreOutput = z.object({
  run_id: z
    .string()
    .nullable()
    .describe("The run of this restoring; undo that one to take it back. Null in a dry run."),
  papers_loaded: z.number().describe("Papers that the snapshot holds."),
  papers_new: z.number(),
  total_papers: z.number().describe("Active papers afterwards."),
  corpus_hash: z.string().describe("The hash of the library afterwards."),
  state: z.string(),
  round: z.number(),
});
