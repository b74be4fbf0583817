import { describe, expect, test } from "vitest";
import { LockSchema } from "./model/lock-schema.ts";
import { sinceTable } from "./model/since.ts";
import { StackSchema } from "./model/stack-schema.ts";
import { WorkspaceSchema } from "./model/workspace-schema.ts";
import { documentSchemas } from "./schemas.ts";

const schemas = documentSchemas();
type Node = { properties?: Record<string, Node>; [key: string]: unknown };

describe("WS-6, WS-127: the published schemas", () => {
  test("are draft 2020-12, titled, and hold no reference to anything outside", () => {
    for (const [name, schema] of Object.entries(schemas)) {
      expect(schema, name).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" });
    }
    expect(JSON.stringify(schemas)).not.toContain('"$ref":"http');
  });
  test("stack and awac are one", () => {
    expect(schemas.stack).toBe(schemas.awac);
  });
  test("have the keys of the objects that the code reads with", () => {
    const keys = (schema: unknown) => Object.keys((schema as Node).properties ?? {});
    expect(keys(schemas.workspace)).toEqual(Object.keys(WorkspaceSchema.shape));
    expect(keys(schemas.stack)).toEqual(Object.keys(StackSchema.shape));
    expect(keys(schemas.lock)).toEqual(Object.keys(LockSchema.shape));
  });
  test("WS-9: workspace.yml is closed but for x-; awac.yml is open; the lock is closed", () => {
    expect(schemas.workspace).toMatchObject({ additionalProperties: false, patternProperties: { "^x-": {} } });
    expect(schemas.stack).not.toHaveProperty("additionalProperties");
    expect(schemas.lock).toMatchObject({ additionalProperties: false });
    expect(schemas.lock).not.toHaveProperty("patternProperties");
  });
  test("WS-13: what a file must have depends on its schema word", () => {
    expect(schemas.workspace).toMatchObject({
      required: ["name"],
      then: { properties: { name: { maxLength: 63 } } },
      else: { required: ["stacks"], properties: { stacks: { minItems: 1 } } },
    });
  });
  test("describe every field of workspace.yml and awac.yml", () => {
    for (const schema of [schemas.workspace, schemas.stack] as unknown as Node[]) {
      for (const [key, node] of Object.entries(schema.properties ?? {})) expect(node["description"], key).toBeTypeOf("string");
    }
  });
});

test("WS-12: every field of the since table is a field of the schema", () => {
  for (const { at } of sinceTable) {
    const [, first = ""] = at.split("/");
    expect(Object.keys(WorkspaceSchema.shape)).toContain(first);
  }
});
