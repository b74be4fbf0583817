import * as z from "zod";
import { adapterFacts } from "../advisors/table.ts";
import { tableId, transports } from "./words.ts";

const id = z
  .string()
  .regex(tableId)
  .refine((word) => word !== "all", "the word all is reserved");
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/);
const top = {
  version: z.literal(1),
  replace: z.boolean().default(false).describe("Leave the shipped content of this file out."),
};

/** One advisor, as a table declares it. In a workspace's file an entry with a known id gives only what differs. */
export const AdvisorEntry = z.strictObject({
  id,
  title: z.string().min(1).max(100).optional().describe("Required for a new advisor."),
  transport: z.enum(transports).optional().describe("Required for a new advisor."),
  adapter: z
    .string()
    .max(40)
    .optional()
    .describe(
      `Required for a new advisor: the dialect it speaks, one of ${Object.keys(adapterFacts).join(", ")}.`,
    ),
  provider: z.string().max(40).optional(),
  vendor: z.string().max(40).optional(),
  model: z.string().max(200).optional(),
  executable: z.string().min(1).max(100).optional().describe("A program's bare name."),
  capabilities: z.array(z.string().max(60)).max(40).optional().describe("Its strengths, of the vocabulary."),
  base_url: z.string().max(500).optional().describe("Honoured in the shipped table only."),
  base_url_env: variable.optional().describe("The variable that names its address."),
  model_env: variable.optional().describe("The variable that names its model."),
  env: z.array(variable).max(40).optional().describe("Variables its program may see."),
  access: z.enum(["brief", "workspace"]).optional().describe("Default brief."),
  max_output_tokens: z.int().min(1).max(1_000_000).optional().describe("Default 16000."),
  max_tokens_field: z.string().max(60).optional().describe("Default max_tokens."),
  json_mode: z.boolean().optional().describe("Default false."),
  parameters: z
    .record(z.string().max(60), z.union([z.string().max(200), z.number(), z.boolean()]))
    .optional(),
  enabled: z.boolean().optional().describe("Default true."),
  note: z.string().max(500).optional(),
});
export type AdvisorEntry = z.output<typeof AdvisorEntry>;

/** advisors.yml */
export const AdvisorsFile = z.strictObject({
  ...top,
  capabilities: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,59}$/),
        description: z.string().max(300),
      }),
    )
    .max(100)
    .default([])
    .describe("The vocabulary of strengths."),
  advisors: z.array(AdvisorEntry).max(200).default([]).describe("In order of preference."),
  forbidden_claims: z
    .array(z.string().min(3).max(200))
    .max(100)
    .default([])
    .describe("Phrases no document may use."),
});
export type AdvisorsFile = z.output<typeof AdvisorsFile>;

export const ClientEntry = z.strictObject({
  id,
  title: z.string().min(1).max(100).optional().describe("Required for a new client."),
  vendor: z.string().max(40).optional(),
  executable: z.string().max(100).optional(),
});
export type ClientEntry = z.output<typeof ClientEntry>;

/** providers.yml: the programs a session may run in. */
export const ClientsFile = z.strictObject({ ...top, providers: z.array(ClientEntry).max(200).default([]) });
export type ClientsFile = z.output<typeof ClientsFile>;

export const VendorEntry = z.strictObject({
  id,
  title: z.string().min(1).max(100).optional().describe("Required for a new vendor."),
  inference: z.enum(["remote", "local"]).optional().describe("Default remote."),
  credential_env: variable.optional().describe("The variable that holds its key."),
});
export type VendorEntry = z.output<typeof VendorEntry>;

export const ModelEntry = z.strictObject({
  id,
  vendor: z.string().max(40).optional().describe("Required for a new model."),
  native_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("As its vendor names it; required for a new model."),
  maker: z.string().max(40).optional().describe("Who trained it; default the vendor."),
  aliases: z.array(z.string().max(80)).max(20).optional(),
  context_window: z.int().min(1).optional(),
  status: z.enum(["available", "preview", "deprecated", "retired"]).optional(),
  price: z
    .strictObject({ input_usd_per_mtok: z.number().min(0), output_usd_per_mtok: z.number().min(0) })
    .optional(),
  note: z.string().max(500).optional(),
});
export type ModelEntry = z.output<typeof ModelEntry>;

/** models.yml */
export const ModelsFile = z.strictObject({
  ...top,
  vendors: z.array(VendorEntry).max(200).default([]),
  models: z.array(ModelEntry).max(1000).default([]),
});
export type ModelsFile = z.output<typeof ModelsFile>;
