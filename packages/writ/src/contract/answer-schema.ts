import { envelopeSchema } from "./envelope.ts";
import type { JsonSchema, Row } from "./registry.ts";

/** Keywords whose values are data, so that a "$ref" in them is no reference. */
const literal = new Set(["const", "default", "enum", "examples"]);

/** A copy of a schema to stand at another place: its own references follow it there. */
export function rebase(schema: JsonSchema, at: string): JsonSchema {
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (key === "$ref" && typeof inner === "string" && inner.startsWith("#"))
          return [key, at + inner.slice(1)];
        return [key, literal.has(key) ? inner : move(inner)];
      }),
    );
  };
  const { $schema: _, ...moved } = move(schema) as JsonSchema;
  return moved;
}

/**
 * The schema of `data` as a reader may rely on it. Fields shown only once are not required, since a replay
 * lacks them, and more fields may come: the contract grows by addition.
 */
export function dataSchema(row: Row, at: string): JsonSchema {
  const { additionalProperties: _, ...schema } = rebase(row.output, at);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return { ...schema, required: required.filter((field) => !row.secrets.includes(String(field))) };
}

/** The envelope's schema for one capability: done with its `data`, or failed with whatever is known. */
export function answerSchema(row: Row): JsonSchema {
  const { title: _, ...schema } = envelopeSchema;
  return {
    ...schema,
    anyOf: [
      { properties: { ok: { const: true }, data: dataSchema(row, "#/anyOf/0/properties/data") } },
      { properties: { ok: { const: false } } },
    ],
  };
}
