import { z } from "zod";
import { networkKinds } from "../model.ts";
import { usageOutput } from "../sources/flags.ts";
import { maturityOutput } from "./maturity.ts";

const kind = z.enum(networkKinds);

const assortativity = z.object({
  attribute: z.string(),
  value: z.number().nullable(),
  reason: z.string().optional(),
  missing: z.number().describe("Nodes without a value."),
  note: z.string(),
});

const network = z.object({
  name: z.string(),
  kind,
  nodes: z.number(),
  edges: z.number(),
  graphml: z
    .string()
    .nullable()
    .describe("Null where the network is too large for it; `metrics.json` says so."),
  metrics_json: z.string(),
  clusters_csv: z.string().optional(),
  assortativity: assortativity.optional(),
});

const absent = z.object({ name: z.string(), kind, reason: z.string(), fix_command: z.string().optional() });

export const buildOutput = z.object({
  run_id: z.string().describe("The run, as `curate undo` takes it."),
  networks_built: z.number(),
  artifacts_dir: z.string(),
  corpus_hash: z.string().describe("Of the scope; empty for an empty one."),
  scope: z.string(),
  networks: z.array(network),
  empty_networks: z.array(absent),
  skipped_networks: z.array(absent),
  maturity: maturityOutput,
  thesaurus: z
    .object({
      keywords_mapped: z.number(),
      keywords_total: z.number(),
      aliases_loaded: z.number(),
      applied_at: z.string(),
    })
    .optional(),
  usage: usageOutput.optional(),
});
export type BuildData = z.output<typeof buildOutput>;
