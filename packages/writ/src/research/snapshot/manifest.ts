import { z } from "zod";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** `manifest.json` of a snapshot: what it holds, and how the library came to be. */
export const manifestSchema = z
  .looseObject({
    schema_version: z.literal("1"),
    corpus_hash: hash.describe("The hash of the papers, equal for equal papers wherever they are."),
    lib_version: z.string().describe("What wrote it."),
    created_at: z.string(),
    openalex_version: z.string().nullable(),
    equations: z.array(
      z.looseObject({
        equation_id: z.string(),
        query: z.string(),
        executed_query: z.unknown(),
        translation_report: z.unknown(),
        source: z.string().nullable(),
        source_version: z.string().nullable(),
        papers: z.number(),
      }),
    ),
    chaining: z.record(z.string(), z.unknown()).nullable().describe("The last chaining's parameters."),
    chainings: z.array(z.record(z.string(), z.unknown())),
    preprocessors: z.array(z.looseObject({ name: z.string(), params: z.unknown() })),
    filters: z.array(
      z.looseObject({
        name: z.string(),
        criteria: z.string().nullable(),
        count_before: z.number().nullable(),
        count_after: z.number().nullable(),
      }),
    ),
    enrichers: z.array(z.record(z.string(), z.unknown())),
    networks: z.array(z.record(z.string(), z.unknown())).describe("The parameters of every build."),
    requests: z.object({ count: z.number(), from_store: z.number() }),
    usage: z.object({ cost_usd: z.number(), credits: z.number() }),
    files: z.array(z.object({ path: z.string(), sha256: hash, rows: z.number() })),
    duckdb_version: z.string(),
    writ_version: z.string(),
  })
  .describe("The manifest of a snapshot of a research library.");

export type Manifest = z.output<typeof manifestSchema>;
