import * as z from "zod";
import type { JsonSchema, Slots } from "../../contract/index.ts";
import { AppliedSchema } from "../swap/applied-schema.ts";
import { DeploySchema } from "./model/deploy-schema.ts";
import { DevvaultSchema } from "./model/devvault-schema.ts";
import { LockSchema } from "./model/lock-schema.ts";
import { StackSchema } from "./model/stack-schema.ts";
import { NAME_MAX, namePattern } from "./model/text.ts";
import { TemplateMetaSchema } from "./model/template-meta.ts";
import { filledSchema } from "./slots.ts";

/** The document kinds of this part, as `writ schema NAME` knows them. */
export type DocumentKind =
  | "workspace"
  | "stack"
  | "awac"
  | "lock"
  | "applied"
  | "deploy"
  | "devvault"
  | "template-meta";

/** The published schemas: generated from the objects that the code itself reads with. */
export async function documentSchemas(slots: Slots = {}): Promise<Record<DocumentKind, JsonSchema>> {
  const stack = published(StackSchema, { open: true });
  return {
    workspace: withSchemaRules(published(await filledSchema(slots), { freeKeys: true })),
    stack,
    awac: stack,
    lock: published(LockSchema, {}),
    applied: published(AppliedSchema, {}),
    deploy: published(DeploySchema, {}),
    devvault: published(DevvaultSchema, {}),
    "template-meta": published(TemplateMetaSchema, {}),
  };
}

function published(schema: z.ZodType, keys: { freeKeys?: boolean; open?: boolean }): JsonSchema {
  return z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties !== false) return;
      if (keys.freeKeys) jsonSchema.patternProperties = { "^x-": {} };
      // Others write the file: what Writ does not know there is no fault.
      if (keys.open) delete jsonSchema.additionalProperties;
    },
  }) as JsonSchema;
}

/** Which of the two families a file belongs to decides what it must have. */
function withSchemaRules(schema: JsonSchema): JsonSchema {
  const writ = {
    type: "object",
    properties: { schema: { const: "writ/1" }, name: { maxLength: NAME_MAX, pattern: namePattern.source } },
    required: ["schema"],
  };
  const awac = {
    type: "object",
    properties: { schema: { enum: ["awac/1", "awac/2", "workspace/1"] }, stacks: { minItems: 1 } },
    required: ["stacks"],
  };
  return { ...schema, anyOf: [writ, awac] };
}
