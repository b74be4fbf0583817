import * as z from "zod";
import { modes, taskName } from "./words.ts";

const tokens = z.int().min(0).max(1_000_000_000_000).optional();
const money = z.number().min(0).max(1_000_000_000).optional();

/** `reasoning:` of workspace.yml. The mode is a text here: an unknown word is refused where it is used. */
export const ReasoningSettings = z.strictObject({
  mode: z
    .string()
    .max(40)
    .optional()
    .describe(`One of ${modes.join(", ")}.`),
  reuse_days: z.int().min(1).max(3650).default(90).describe("How long a conclusion can be taken over."),
  limits: z
    .strictObject({
      tokens_per_task: tokens.describe("Tokens that may leave the machine for one task."),
      tokens_per_day: tokens.describe("The same for one UTC day."),
      usd_per_task: money.describe("Money, at the prices of models.yml."),
      usd_per_day: money.describe("The same for one UTC day."),
    })
    .default({})
    .describe("Ceilings; each is optional."),
  withhold: z
    .array(z.string().min(1).max(500))
    .max(200)
    .default([])
    .describe("Evidence paths that never leave."),
  answer_reviews: z.boolean().default(false).describe("Offer reviews to linked servers."),
});
export type ReasoningSettings = z.output<typeof ReasoningSettings>;
export type Limits = ReasoningSettings["limits"];

/** `profiles:` of workspace.yml; every profile names its mode. */
export const ProfileTable = z
  .record(
    z.string().regex(taskName),
    z.looseObject({
      reasoning: z
        .string()
        .max(40)
        .describe(`A mode: one of ${modes.join(", ")}.`),
    }),
  )
  .describe("Profiles of tasks, besides those that ship with Writ.");
