import * as z from "zod";
import { Answer } from "./bodies.ts";
import { exchangeStatuses, transports } from "./words.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

/** That an advisor was asked; written before the exchange begins. */
export const DispatchBody = z.strictObject({
  kind: z.literal("dispatch"),
  plan: z.string(),
  advisor: z.string(),
  attempt: z.int().min(1),
  adapter: z.string(),
  adapter_version: z.string(),
  transport: z.enum(transports),
  target: z.string().describe("Scheme and host, or the program."),
  remote: z.boolean().describe("Whether what is asked leaves this machine."),
  vendor: z.string().optional(),
  model: z.string().optional(),
  source: z.string().describe("What makes two answers independent."),
  request_sha256: digest.describe("The digest of the brief as sent."),
  request_bytes: count,
  reserve_tokens: count,
  deadline_at: z.string(),
});

/** How one exchange ended; written only by the code that carried it out. */
export const ConsultationBody = z.strictObject({
  kind: z.literal("consultation"),
  dispatch: z.string(),
  plan: z.string(),
  advisor: z.string(),
  status: z.enum(exchangeStatuses),
  question: z.string(),
  answer: Answer.optional(),
  diagnostic: z.string().optional(),
  retry_after_seconds: z.int().min(1).max(86_400).optional(),
  retry_after_capped: z.literal(true).optional(),
  duration_ms: count,
  usage: z.strictObject({ input_tokens: count, output_tokens: count }).optional(),
  response_sha256: digest.optional(),
  response_bytes: count,
  model: z.string().optional(),
  source: z.string(),
  remote: z.boolean(),
});

/** The second input type of the writer: the kinds that only the driver of a consultation records. */
export const DriverBody = z.discriminatedUnion("kind", [DispatchBody, ConsultationBody]);
export type DriverBody = z.output<typeof DriverBody>;
export type Consultation = z.output<typeof ConsultationBody>;
