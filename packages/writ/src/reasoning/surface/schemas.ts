import * as z from "zod";
import type { JsonSchema } from "../../contract/index.ts";
import { CallerBody } from "../model/bodies.ts";
import { RecordSchema } from "../model/record.ts";
import { AdvisorsFile, ClientsFile, ModelsFile } from "../model/tables.ts";

/** The documents of this part, from the objects that the code itself reads with. */
export function reasoningSchemas(): Record<string, JsonSchema> {
  const input = published(CallerBody, "input");
  return {
    "reasoning-record": {
      ...input,
      title: "A reasoning record",
      description: "What writ reasoning record takes. A record as it is stored is under $defs/stored.",
      $defs: { ...(input.$defs as object | undefined), stored: published(RecordSchema, "output") },
    },
    advisors: published(AdvisorsFile, "input"),
    providers: published(ClientsFile, "input"),
    models: published(ModelsFile, "input"),
  };
}

function published(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    unrepresentable: "any",
  });
  return rest as JsonSchema;
}
