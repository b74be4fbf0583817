import * as z from "zod";

/** The metadata block of a template: what is shown before it is used. */
export const TemplateMetaSchema = z
  .strictObject({
    composes_stacks: z
      .array(z.string().max(200))
      .max(64)
      .optional()
      .describe("Stacks the workspace will compose."),
    clones_repos: z.array(z.string().max(200)).max(200).optional().describe("Repositories it will clone."),
    embeds_in_product_flow: z
      .union([z.boolean(), z.string().max(200)])
      .optional()
      .describe("Whether it belongs to a product's flow."),
  })
  .meta({ title: "wsp-template-meta", description: "The comment block that describes a template." });

export type TemplateMeta = z.output<typeof TemplateMetaSchema>;
