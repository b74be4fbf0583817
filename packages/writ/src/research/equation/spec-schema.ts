import * as z from "zod";

const text = z.string().min(1);
const year = z.int().min(1000).max(9999);

/** The equation of a search, as a file holds it. */
export const EquationSchema = z
  .object({
    // A blank one is the parser's to refuse, whoever hands it in.
    query: z
      .string()
      .describe("The equation, in the language of equations or, with native, as OpenAlex's filter."),
    exclude: z.array(text).max(1000).default([]).describe("Terms that no result may hold."),
    max_results: z.int().min(1).default(200).describe("How many works are fetched at most."),
    native: z.boolean().default(false).describe("true: query is sent to OpenAlex as it is."),
    min_year: year.optional().describe("The first year of publication."),
    max_year: year.optional().describe("The last year of publication."),
    language: z.array(text).max(100).default([]).describe("Names or codes of languages; any of them."),
    type: z.array(text).max(100).default([]).describe("Kinds of works, as review or preprint; any of them."),
    source: z
      .array(z.enum(["openalex", "crossref", "semanticscholar"]))
      .max(3)
      .default([])
      .describe("Where to ask; without one, OpenAlex."),
  })
  .strict();

/** A specification file for `writ research seed`. */
export const EquationFileSchema = z.object({ equation: EquationSchema }).strict();
