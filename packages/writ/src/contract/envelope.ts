import type { ErrorObject } from "./errors.ts";
import type { Warning } from "./warnings.ts";

/** Changes only by addition: new optional fields, new commands, new error codes. */
export const contractVersion = "1";

/** The answer of every capability on every surface: seven fields, always there, in this order. */
export interface Envelope {
  schema: typeof contractVersion;
  ok: boolean;
  /** The full command path, e.g. "research seed". */
  command: string;
  exit_code: number;
  data: Record<string, unknown>;
  warnings: Warning[];
  error: ErrorObject | null;
}

/** Builds an envelope; `ok` and `exit_code` follow from the error. */
export function envelope(
  command: string,
  parts: { data?: Record<string, unknown>; warnings?: Warning[]; error?: ErrorObject },
): Envelope {
  const error = parts.error ?? null;
  return {
    schema: contractVersion,
    ok: error === null,
    command,
    exit_code: error?.exit_code ?? 0,
    data: parts.data ?? {},
    warnings: parts.warnings ?? [],
    error,
  };
}

/** The envelope's JSON Schema, draft 2020-12. */
export const envelopeSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Envelope",
  type: "object",
  additionalProperties: false,
  required: ["schema", "ok", "command", "exit_code", "data", "warnings", "error"],
  properties: {
    schema: { const: contractVersion },
    ok: { type: "boolean" },
    command: { type: "string" },
    exit_code: { type: "integer", minimum: 0 },
    data: { type: "object" },
    warnings: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["code", "message"],
        properties: {
          code: { type: "string" },
          message: { type: "string" },
          remediation: { type: "string" },
        },
      },
    },
    error: {
      anyOf: [
        { type: "null" },
        {
          type: "object",
          additionalProperties: false,
          required: ["code", "category", "message", "cause", "remediation", "exit_code", "retryable"],
          properties: {
            code: { type: "string" },
            category: { type: "string" },
            subcode: { enum: ["RATE_LIMITED", "UPSTREAM_TIMEOUT"] },
            message: { type: "string" },
            cause: { type: "string" },
            remediation: { type: "string" },
            exit_code: { type: "integer" },
            retryable: { type: "boolean" },
            retry_after_seconds: { type: "number" },
            details: { type: "object" },
          },
        },
      ],
    },
  },
} as const;
