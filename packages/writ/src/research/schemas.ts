import { z } from "zod";
import { equationSchema } from "./equation/spec.ts";

type JsonSchema = Record<string, unknown>;

/** The document kinds of research, as `writ schema NAME` knows them. */
export async function researchSchemas(): Promise<Record<string, JsonSchema>> {
  const { networkSchema } = await import("./networks/spec.ts");
  const { manifestSchema } = await import("./snapshot/manifest.ts");
  return {
    "research-equation": equationSchema(),
    "research-network": networkSchema(),
    "research-thesaurus": published(thesaurus),
    "research-manifest": published(manifestSchema),
    "research-curation": published(curation),
  };
}

function published(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" }) as JsonSchema;
}

const thesaurus = z
  .object({
    concepts: z
      .record(
        z.string().describe("The word that stands for the concept."),
        z.record(
          z.string().regex(/^aliases_/),
          z.array(z.string()).describe("Words of one language for it: aliases_en, aliases_es, …"),
        ),
      )
      .describe("Concepts by the word that stands for each."),
  })
  .describe("A thesaurus for keywords: writ research build --thesaurus FILE.json");

/** One row of the curation file, by its columns; in a CSV all of them are text. */
const curation = z
  .object({
    id: z.string().optional().describe("The paper's id; it, doi or source_id names the paper."),
    source_id: z.string().optional(),
    title: z.string().optional(),
    year: z.string().optional(),
    authors: z.string().optional().describe("Joined with ' | '."),
    venue: z.string().optional(),
    doi: z.string().optional(),
    keywords: z.string().optional().describe("Joined with ' | '."),
    cited_by_count: z.string().optional(),
    references_count: z.string().optional(),
    is_seed: z.enum(["True", "False"]).optional(),
    openalex_url: z.string().optional(),
    scent_score: z.string().optional(),
    cluster: z.string().optional(),
    decision: z
      .string()
      .describe(
        "accepted, rejected, undecided or blank; case and spaces do not matter. Undecided changes nothing.",
      ),
    note: z.string().optional(),
    abstract: z.string().optional(),
  })
  .describe("One row of the file that writ research curate dump writes and curate apply reads.");
