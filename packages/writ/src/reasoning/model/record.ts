import * as z from "zod";
import { CallerBodies } from "./bodies.ts";
import { ConsultationBody, DispatchBody } from "./driver-bodies.ts";
import { AdvisorState, Plan, Reuse } from "./plan.ts";

/** Evidence as it is stored: with what the writer found out about it. */
export const Evidence = z.strictObject({
  ...CallerBodies.assessment.shape.evidence.unwrap().element.shape,
  resolved: z.boolean().optional().describe("Whether the reference led somewhere."),
  sha256: z.string().optional().describe("The digest of a file, as it was then."),
  commit: z.string().optional().describe("The whole hash of a commit."),
});
export type Evidence = z.output<typeof Evidence>;
const evidence = z.array(Evidence);

/** Who reviewed a conclusion; computed when it is admitted and recomputed by every check. */
export const Review = z.strictObject({
  plans: z.int(),
  replans: z.int(),
  reviewed_by: z.array(z.string()),
  review_count: z.int(),
  independent_sources: z.array(z.string()),
  independent_source_count: z.int(),
  same_source_as_executor: z.array(z.string()),
  failed: z.array(z.strictObject({ advisor: z.string(), status: z.string() })),
  waived: z.array(z.strictObject({ advisor: z.string(), plan: z.string(), reason: z.string() })),
  pending: z.array(z.strictObject({ advisor: z.string(), dispatch: z.string() })),
  local_review: z.string().optional(),
  basis: z.enum(["reviewed", "local_review", "local"]),
});
export type Review = z.output<typeof Review>;

/** The bodies as they are stored, with the fields that the writer computes. */
export const StoredBody = z.discriminatedUnion("kind", [
  CallerBodies.assessment.extend({ evidence }),
  CallerBodies.plan.extend({
    plan: Plan,
    availability: z.array(AdvisorState),
    reuse: Reuse.optional(),
    executor_source: z.string().optional(),
    brief_bytes: z.int(),
  }),
  CallerBodies.local_review.extend({ evidence }),
  CallerBodies.disagreement,
  CallerBodies.resolution.extend({ evidence }),
  CallerBodies.conclusion.extend({ evidence, review: Review }),
  CallerBodies.validation.extend({ evidence, settles: z.array(z.string()) }),
  CallerBodies.attempt.extend({ evidence }),
  CallerBodies.waiver,
  CallerBodies.circuit_reset,
  DispatchBody,
  ConsultationBody,
]);
export type StoredBody = z.output<typeof StoredBody>;

/** The frame of every record; a caller gives nothing of it. */
export const RecordSchema = z.strictObject({
  schema: z.literal("writ/reasoning-record"),
  version: z.literal(1),
  id: z.string().describe("<kind>_<UUIDv7>, cited as record:<id>."),
  seq: z.int().min(1).describe("Its place among all records of the checkout."),
  prev: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("Digest of the record before it; 64 zeros for the first."),
  task: z.string(),
  recorded_at: z.string(),
  head: z.string().optional().describe("The commit that was checked out."),
  actor: z.string(),
  acts_for: z.string().optional(),
  act: z.string().describe("The act that wrote it."),
  capability: z.string().describe("The capability that wrote it."),
  client: z.string().optional().describe("The client of the session."),
  redacted: z.array(z.string()).describe("Shapes of the secrets that were removed."),
  test_clock: z.literal(true).optional().describe("It was written under a clock that was set for a test."),
  input_sha256: z.string().describe("Digest of what was handed in, cleaned; tells a repeat."),
  body: StoredBody,
});
export type ReasoningRecord = z.output<typeof RecordSchema>;

/** The record of one kind. */
export type RecordOf<K extends StoredBody["kind"]> = Omit<ReasoningRecord, "body"> & {
  body: Extract<StoredBody, { kind: K }>;
};
export type BodyOf<K extends StoredBody["kind"]> = Extract<StoredBody, { kind: K }>;
