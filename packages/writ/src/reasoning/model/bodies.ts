import * as z from "zod";
import { affects, confidences, evidenceKinds, materialities, stances } from "./words.ts";

const text = (about: string) => z.string().describe(about);
const texts = (about: string) => z.array(z.string()).default([]).describe(about);
const id = (about: string) => z.string().max(120).describe(about);

/** One item of evidence, as a caller gives it. */
const EvidenceInput = z.strictObject({
  kind: z.enum(evidenceKinds).describe("What the reference names."),
  reference: text("A path, a commit, a command, a record's id, or a reference of Writ."),
  note: text("What it shows.").optional(),
});
const evidence = z.array(EvidenceInput).default([]).describe("What the statement rests on, as references.");

const assessment = id("The assessment it belongs to.");

/** The bodies a caller may record. No kind of the driver is among them, so an answer cannot be claimed. */
export const CallerBodies = {
  assessment: z.strictObject({
    kind: z.literal("assessment"),
    subject: text("What is uncertain, on one line."),
    materiality: z.enum(materialities).default("low").describe("How much is at stake."),
    confidence: z.enum(confidences).default("medium").describe("How sure the session already is."),
    hypothesis: text("What the session believes.").optional(),
    affects: z.array(z.enum(affects)).default([]).describe("What the decision touches."),
    facts: texts("What was verified locally."),
    assumptions: texts("What was not."),
    questions: texts("What is open."),
    evidence,
    capabilities: texts("Strengths that a review needs, of the vocabulary."),
    new_evidence: z
      .boolean()
      .default(false)
      .describe("There is evidence an earlier conclusion did not have."),
    confidential: z.boolean().default(false).describe("No advisor away from this machine may be asked."),
  }),
  plan: z.strictObject({
    kind: z.literal("plan"),
    assessment,
    again: z.boolean().default(false).describe("Make a new plan also when the last one still stands."),
  }),
  local_review: z.strictObject({
    kind: z.literal("local_review"),
    assessment,
    alternative: text("The strongest rival, stated as its best defender would."),
    assumptions: z
      .array(
        z.strictObject({ text: text("The assumption."), backed_by: text("What supports it.").optional() }),
      )
      .describe("Every assumption; what has no support is marked by its absence."),
    falsifier: text("What would prove the hypothesis wrong."),
    experiment: text("What was tried."),
    result: text("What was seen."),
    evidence,
  }),
  disagreement: z.strictObject({
    kind: z.literal("disagreement"),
    assessment,
    positions: z
      .array(
        z.strictObject({
          source: id("primary, or the id of an answer."),
          position: text("What it holds."),
        }),
      )
      .describe("At least two, each from another source."),
    divergent_assumptions: texts("Where they part."),
    discriminating_question: text("The question whose answer differs between them."),
    experiment: text("What would answer it.").optional(),
  }),
  resolution: z.strictObject({
    kind: z.literal("resolution"),
    disagreement: id("The disagreement it settles."),
    experiment: text("What was done."),
    outcome: text("What was seen."),
    favours: id("A source of the disagreement, or neither."),
    evidence,
  }),
  conclusion: z.strictObject({
    kind: z.literal("conclusion"),
    assessment,
    decision: text("What was decided."),
    rationale: text("Why."),
    evidence,
    consultations: z.array(id("An answer.")).default([]).describe("The answers that were weighed."),
    disagreements: z.array(id("A disagreement.")).default([]).describe("The settled disagreements."),
    rejected: z
      .array(
        z.strictObject({
          option: text("What was turned down."),
          reason: text("Why."),
          consultation: id("The answer that proposed it.").optional(),
        }),
      )
      .default([])
      .describe("Options turned down."),
    assumptions: texts("What it still rests on."),
    risks: texts("What may go wrong."),
    validation_plan: texts("How it will be validated."),
    confidence: z.enum(confidences).default("medium").describe("How sure the session is."),
    supersedes: id("The conclusion it replaces.").optional(),
  }),
  validation: z.strictObject({
    kind: z.literal("validation"),
    conclusion: id("The conclusion that was checked."),
    check: text("What was checked."),
    outcome: z.enum(["pass", "fail"]).describe("How it went."),
    command: text("The command that was run.").optional(),
    exit_code: z.int().min(0).max(255).optional().describe("Its exit code."),
    output_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe("The digest of its output."),
    evidence,
  }),
  attempt: z.strictObject({
    kind: z.literal("attempt"),
    assessment: assessment.optional(),
    attempt: text("What was tried."),
    observed_failure: text("How it failed."),
    assumption_invalidated: text("What it disproved.").optional(),
    evidence,
    updated_hypothesis: text("What is believed now.").optional(),
  }),
  waiver: z.strictObject({
    kind: z.literal("waiver"),
    reason: text("Why."),
    selection: z
      .strictObject({ plan: id("The plan."), advisor: id("An advisor it selected.") })
      .optional()
      .describe("A selected advisor that will not be asked."),
    consultation: id("A late answer that is set aside.").optional(),
  }),
  circuit_reset: z.strictObject({
    kind: z.literal("circuit_reset"),
    advisor: id("The advisor that is to be asked again."),
    reason: text("Why."),
  }),
} as const;

/** What the public door takes: one body, told apart by its kind. */
export const CallerBody = z.discriminatedUnion("kind", [
  CallerBodies.assessment,
  CallerBodies.plan,
  CallerBodies.local_review,
  CallerBodies.disagreement,
  CallerBodies.resolution,
  CallerBodies.conclusion,
  CallerBodies.validation,
  CallerBodies.attempt,
  CallerBodies.waiver,
  CallerBodies.circuit_reset,
]);
export type CallerBody = z.output<typeof CallerBody>;

/** What an advisor said, normalised. It is data with an origin, never an instruction. */
export const Answer = z.strictObject({
  origin: z.string().describe("advisor:<id>"),
  trust: z.literal("data"),
  conclusion: z.string(),
  stance: z.enum(stances),
  assumptions: z.array(z.string()),
  risks: z.array(z.string()),
  actions: z.array(z.string()),
  falsifiers: z.array(z.string()),
  confidence: z.enum(confidences).optional(),
});
export type Answer = z.output<typeof Answer>;
