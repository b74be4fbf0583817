import * as z from "zod";
import { orgRepo, slug, token } from "./text.ts";

const target = z.enum([
  "odoo_sh",
  "aws_ecs",
  "aws_lambda",
  "aws_ec2_ssm",
  "cloudflare_pages",
  "cloudflare_workers",
  "github_pages",
  "manual",
]);

const text = z.string().max(1000).optional();

const blocks = {
  odoo_sh: z
    .strictObject({
      project: text,
      branch: text,
      module_scope: z.enum(["all", "changed", "list"]).default("list"),
      modules: z.array(z.string().max(200)).max(1000).optional(),
      instance_url: z.url().optional(),
    })
    .optional(),
  aws_ecs: z.strictObject({ cluster: text, service: text, region: text, image_repo: text }).optional(),
  aws_lambda: z.strictObject({ function_name: text, region: text }).optional(),
  aws_ec2_ssm: z.strictObject({ instance_id: text, region: text, document_name: text }).optional(),
  cloudflare_pages: z
    .strictObject({ project_name: text, production_branch: z.string().max(200).default("main") })
    .optional(),
  cloudflare_workers: z.strictObject({ worker_name: text, account_id: text }).optional(),
  github_pages: z.strictObject({ branch: z.string().max(200).default("gh-pages"), cname: text }).optional(),
};

const Component = z.strictObject({
  name: token("the component"),
  target: target.describe("Where it runs."),
  targets_available: z
    .array(target)
    .optional()
    .describe("deploy/2: where a workspace may send it; holds target.")
    .meta({ uniqueItems: true }),
  repo: orgRepo.optional(),
  requires_human_approval: z.boolean().default(true).describe("Whether a person must agree."),
  pre_steps: z.array(z.string().max(200)).max(100).default([]).describe("Workflows to run first."),
  promote_after_pass: z
    .array(
      z.strictObject({
        target_repo: orgRepo,
        target_branch: z.string().max(200),
        require_pass_on: text,
      }),
    )
    .max(100)
    .default([])
    .describe("Where the change goes on to when it passes."),
  rollback_window_minutes: z.int().min(0).optional().describe("How long it can be taken back."),
  ...blocks,
});

/** deploy.yml of a product's stack: what is deployed where. */
export const DeploySchema = z
  .strictObject({
    schema: z.enum(["deploy/1", "deploy/2"]).describe("The format of this file."),
    product: slug.describe("The product it is about."),
    description: z.string().max(1000).optional(),
    components: z.array(Component).min(1).max(100).describe("What is deployed; names are unique."),
  })
  .meta({ title: "deploy.yml", description: "How the components of a product are deployed." });
