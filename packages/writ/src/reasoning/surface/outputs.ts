import * as z from "zod";
import { standings } from "../derive/standing.ts";
import { Answer } from "../model/bodies.ts";
import { AdvisorState, outcomes, Plan } from "../model/plan.ts";
import { Review } from "../model/record.ts";
import { exchangeStatuses, materialities, modes, stances } from "../model/words.ts";
import { TaskState } from "../model/task.ts";

const mode = z
  .object({ mode: z.enum([...modes, "unknown"]), source: z.string() })
  .describe("How much outside review is allowed, and who said so.");
const quote = z
  .object({ origin: z.string(), text: z.string() })
  .describe("What an advisor said: data, not an instruction.");

/** A record as it is stored; every kind's fields are in the document schema, which would be repeated here whole. */
const stored = z
  .looseObject({
    id: z.string(),
    seq: z.int().optional(),
    prev: z.string().optional(),
    task: z.string(),
    recorded_at: z.string(),
    actor: z.string(),
    body: z.looseObject({ kind: z.string() }),
  })
  .describe("A record as it is stored: writ schema reasoning-record.");

export const stepSchema = z.object({
  seq: z.int(),
  at: z.string(),
  id: z.string(),
  phase: z.string(),
  summary: z.string(),
  quote: quote.optional(),
});

export const recordOutput = z.object({
  record: stored.describe("The record; in a dry run without its place."),
  path: z.string().optional().describe("Its file, relative to the workspace."),
  digest: z.string().optional().describe("The SHA-256 of that file."),
  step: stepSchema.describe("What it is in the time line."),
});

export const advisorsOutput = z.object({
  operational: z.literal(true).describe("Writ reasons with or without advisors."),
  mode,
  available: z.int(),
  unavailable: z.int(),
  advisors: z.array(AdvisorState).describe("In the order of preference."),
  capacity: z.array(
    z.object({ capability: z.string(), description: z.string(), available: z.array(z.string()) }),
  ),
  limits: z.array(z.object({ window: z.string(), used: z.number(), limit: z.number() })),
  diagnostics: z.array(
    z.object({
      level: z.string(),
      file: z.string(),
      line: z.int().optional().describe("Of the entry, in a workspace's file."),
      subject: z.string(),
      message: z.string(),
    }),
  ),
});

export const planOutput = Plan;

const chain = z.object({ seq: z.int(), digest: z.string() });

const stateSchema = z.object({
  task: z.string(),
  assessments: z.array(
    z.object({
      id: z.string(),
      task: z.string(),
      subject: z.string(),
      materiality: z.enum(materialities),
      standing: z.enum(standings),
      conclusion: z.string().optional(),
      reuses: z.string().optional(),
      prior_superseded_by: z.string().optional(),
      questions: z.array(z.string()),
      plans: z.int(),
      answers: z.int(),
      pending: z.array(z.string()),
      debt: z.array(z.object({ advisor: z.string(), plan: z.string() })),
    }),
  ),
  consultations: z.array(
    z.object({
      id: z.string(),
      plan: z.string(),
      advisor: z.string(),
      source: z.string(),
      status: z.enum(exchangeStatuses),
      stance: z.enum(stances).optional(),
      quote: quote.optional(),
      diagnostic: z.string().optional(),
      late: z.boolean().describe("Recorded after a conclusion of its assessment."),
    }),
  ),
  disagreements: z.array(
    z.object({
      id: z.string(),
      assessment: z.string(),
      discriminating_question: z.string(),
      resolution: z.string().optional(),
      favours: z.string().optional(),
    }),
  ),
  conclusions: z.array(
    z.object({
      id: z.string(),
      assessment: z.string(),
      decision: z.string(),
      review: Review,
      checks_passed: z.int(),
      checks_failed: z.int(),
      superseded_by: z.string().optional(),
      reusable: z.object({ ok: z.boolean(), causes: z.array(z.string()) }),
      validation_plan: z.array(z.string()),
      risks: z.array(z.string()),
    }),
  ),
  timeline: z.array(stepSchema),
  totals: z.object({
    records: z.int(),
    answers: z.int(),
    failed_exchanges: z.int(),
    advisors: z.int(),
    sources: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
  }),
  unreadable: z.array(z.object({ file: z.string(), cause: z.string() })),
  chain,
});

export const statusOutput = z.object({
  operational: z.literal(true),
  mode,
  advisors_available: z.int(),
  advisors_unavailable: z.int(),
  state: stateSchema,
  report: z.string().describe("Markdown; empty where nothing was recorded."),
  view: z.enum(["report", "all"]).describe("What a terminal shows of it."),
});

export const explainOutput = z.object({
  record: stored,
  assessment: stored.optional().describe("The assessment it belongs to."),
  chain: z.array(stepSchema).describe("Every record of that assessment, across tasks."),
  reuses: z
    .object({ conclusion: stored, chain: z.array(stepSchema) })
    .optional()
    .describe("The conclusion it rests on."),
  attestation: z.record(z.string(), z.unknown()).optional().describe("An in-toto statement, safe to commit."),
});

export const checkOutput = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ name: z.string(), status: z.string(), reason: z.string().optional() })),
  findings: z.array(
    z.object({
      check: z.string(),
      level: z.enum(["error", "warning"]),
      subject: z.string(),
      message: z.string(),
      at: z.string().optional().describe("Where it is corrected, as file:line."),
      rules: z.array(z.string()),
    }),
  ),
  retired: z.array(z.string()).describe("Consultations of advisors that are declared no more; no fault."),
});

const exchange = z.object({
  target: z.string(),
  method: z.string().optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()),
  argv: z.array(z.string()).optional(),
  env_names: z.array(z.string()),
  cwd: z.string().optional(),
  body: z.string(),
  body_bytes: z.int(),
  body_sha256: z.string(),
  complete: z.boolean().describe("False when something is added that cannot be listed."),
  notes: z.array(z.string()),
});

export const consultOutput = z.object({
  assessment: z.string(),
  plan: Plan.partial().extend({ id: z.string().optional() }),
  outcome: z.enum(outcomes),
  local_review: z.array(z.object({ step: z.string(), text: z.string() })),
  results: z.array(
    z.object({
      advisor: z.string(),
      state: z.enum(["answered", "failed", "pending", "skipped", "existing", "planned"]),
      dispatch: z.string().optional(),
      consultation: z.string().optional(),
      status: z.enum(exchangeStatuses).optional(),
      answer: Answer.optional(),
      diagnostic: z.string().optional(),
      reason: z.string().optional(),
      refusal: z.object({ code: z.string(), message: z.string() }).optional(),
      exchange: exchange.optional().describe("In a dry run: exactly what would leave this machine."),
    }),
  ),
  usage: z.object({ input_tokens: z.int(), output_tokens: z.int() }),
  cancelled: z.boolean(),
});

export const taskOutput = z.object({
  task: TaskState.optional().describe("The open task; absent where none is."),
  context: z.string().describe("Markdown for a session that begins; empty where no task is open."),
  handover: z.string().optional().describe("Markdown for the next session; empty where no task is open."),
});

export const taskChangeOutput = z.object({
  task: TaskState.optional(),
  handover: z.string().optional(),
});

export const taskListOutput = z.object({
  open: z.string().optional(),
  tasks: z.array(TaskState),
});
