import { z } from "zod";
import { networkKinds } from "../model.ts";
import { countings } from "../networks/pairs.ts";
import { normalisations } from "../networks/weights.ts";
import { networkInput, waitInput } from "../sources/flags.ts";

/** The scopes, as flags take them. */
export const scopeInput = {
  scope: z
    .enum(["all", "accepted", "seeds"])
    .default("all")
    .describe("Which papers: all that are not rejected, of these the seeds, or seeds and accepted ones."),
};

/** The flags of `build`. Values that parse and make no sense are refused where they are read. */
export const buildInput = {
  networks: z
    .array(z.enum(networkKinds))
    .max(64)
    .optional()
    .describe("The kinds to build; default the usual ones."),
  ...scopeInput,
  include_rejected: z.boolean().default(false).describe("Rejected papers too."),
  spec: z.string().optional().meta({ local_path: true }).describe("A file that describes each network."),
  min_weight: z.number().optional().describe("Least weight of an edge; 1, or none for fractions."),
  counting: z.enum(countings).optional().describe("full: shared items; fractional: 1/(n - 1) for each."),
  normalise: z.enum(normalisations).optional().describe("A second weight beside the raw one."),
  resolution: z.number().optional().describe("Of communities; above 1 gives more and smaller ones."),
  seed: z.int().optional().describe("Of the random numbers for communities."),
  starts: z.int().max(1000).optional().describe("How often communities are searched; the best is kept."),
  hub_cap: z.int().optional().describe("Leave out items that more nodes than this share."),
  max_pairs: z.int().optional().describe("Skip a network that would need more pairs."),
  limits: z.boolean().default(true).describe("Leave measures out where a network is too large for them."),
  thesaurus: z
    .string()
    .optional()
    .meta({ local_path: true })
    .describe("A thesaurus of keywords; it stays in force for later builds."),
  no_thesaurus: z.boolean().default(false).describe("Switch the thesaurus in force off."),
  fetch_citers: z
    .boolean()
    .default(false)
    .describe("First ask who cites the accepted seeds; while none is, all that are not rejected."),
  max_citing: z.int().optional().describe("Citers kept for each seed, with --fetch-citers; 50."),
  out_dir: z.string().optional().meta({ local_path: true }).describe("Where the networks are written."),
  ...networkInput,
  ...waitInput,
};

const schema = z.object(buildInput);
export type BuildInput = z.output<typeof schema>;
