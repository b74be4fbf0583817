import * as z from "zod";
import { availabilityStatuses, confidences, materialities, modes, transports } from "./words.ts";

/** What is known of one advisor at one moment. Plans keep it, so that they can be recomputed. */
export const AdvisorState = z.strictObject({
  id: z.string(),
  title: z.string(),
  transport: z.enum(transports),
  adapter: z.string(),
  capabilities: z.array(z.string()).describe("Its strengths."),
  provider: z.string().optional(),
  vendor: z.string().optional(),
  model: z.string().optional().describe("As its vendor names it."),
  source: z.string().describe("What makes two answers independent."),
  remote: z.boolean(),
  sealed: z.boolean().describe("Nothing of the workspace but the brief can leave through it."),
  executable: z.string().optional(),
  credential: z.string().optional().describe("The name of the variable that holds its key."),
  address: z.string().optional().describe("Scheme, host and port."),
  status: z.enum(availabilityStatuses),
  reason: z.string(),
  detail: z.string().optional(),
  probe: z.string().describe("How its presence was derived."),
  recovering: z.boolean(),
  circuit: z
    .strictObject({
      class: z.enum(["authentication", "quota", "rate", "transient"]),
      opened_by: z.string(),
      failures: z.int(),
      until: z.string(),
    })
    .optional(),
});
export type AdvisorState = z.output<typeof AdvisorState>;

const reuseCauses = [
  "new_evidence",
  "lower_materiality",
  "disputed",
  "validation_failed",
  "unweighed_answer",
  "expired",
  "not_an_ancestor",
  "record_damaged",
  "evidence_changed",
] as const;
export type ReuseCause = (typeof reuseCauses)[number];

/** Whether an earlier conclusion on the same subject was taken over, and if not, why. */
export const Reuse = z.strictObject({
  candidate: z.string(),
  accepted: z.boolean(),
  causes: z.array(z.enum(reuseCauses)),
});
export type Reuse = z.output<typeof Reuse>;

export const outcomes = ["reuse_prior", "consult", "decide_locally"] as const;

/** What review an uncertainty calls for. */
export const Plan = z.strictObject({
  policy_version: z.literal(1),
  mode: z.enum(modes),
  mode_source: z.string(),
  materiality: z.enum(materialities),
  confidence: z.enum(confidences),
  capabilities: z.array(z.string()),
  confidential: z.boolean(),
  budget: z.int().min(0).describe("How many advisors may be asked."),
  outcome: z.enum(outcomes),
  reason_code: z.enum([
    "standing_conclusion",
    "advisors_selected",
    "not_material",
    "no_budget",
    "nobody_available",
  ]),
  reason: z.string(),
  selected: z.array(
    z.strictObject({
      advisor: z.string(),
      source: z.string(),
      covers: z.array(z.string()),
      why: z.enum(["first_in_order", "covers_more", "independent_source", "next_in_order"]),
      covers_count: z.int().optional().describe("With covers_more: how many it adds."),
    }),
  ),
  excluded: z.array(
    z.strictObject({
      advisor: z.string(),
      status: z.enum(availabilityStatuses),
      reason: z.string(),
      code: z
        .string()
        .describe("offers_none, budget_spent, budget_zero, standing_conclusion, or the reason."),
      capabilities: z.array(z.string()).optional().describe("With offers_none: what was wanted."),
    }),
  ),
  available: z.int().min(0),
  uncovered: z.array(
    z.strictObject({ capability: z.string(), cause: z.enum(["budget", "unavailable", "nobody"]) }),
  ),
  local_review: z.array(z.strictObject({ step: z.string(), text: z.string() })),
  reuse: Reuse.optional(),
});
export type Plan = z.output<typeof Plan>;
