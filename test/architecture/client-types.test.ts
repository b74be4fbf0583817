import { expect, test } from "vitest";
import { readsOf, typeOf } from "../../scripts/registry/client-types.ts";

test.each([
  [{ type: "integer", minimum: 0 }, "number"],
  [{ type: "boolean", const: true }, "true"],
  [{ enum: ["a", 1] }, '"a" | 1'],
  [{ type: ["string", "null"] }, "string | null"],
  [{ anyOf: [{ type: "number" }, { type: "integer" }, { type: "string" }] }, "number | string"],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ description: "anything" }, "unknown"],
  [
    { type: "object", properties: { a: { type: "string" }, b: { type: "null" } }, required: ["a"] },
    '{ "a": string; "b"?: null }',
  ],
  [
    { type: "object", properties: { a: { type: "string" } }, additionalProperties: {} },
    '{ "a"?: string; [more: string]: unknown }',
  ],
  [{ type: "object", additionalProperties: { type: "number" } }, "{ [more: string]: number }"],
])("the type of %j", (schema, type) => expect(typeOf(schema)).toBe(type));

test("a schema that no type is written for is refused, not taken for anything", () => {
  expect(() => typeOf({ $ref: "#/elsewhere" })).toThrow("#/elsewhere");
});

test("a client reads what is asked for with GET: its query and its data", () => {
  const get = { operationId: "task_list.get", parameters: [{ name: "n", schema: { type: "integer" } }] };
  const schemas = { "task_list.data": { type: "object", properties: {} } };
  const document = {
    paths: { "/v1/task/list": { get }, "/v1/task/start": { post: {} } },
    components: { schemas },
  };
  expect(readsOf(document)).toBe(
    'export interface Reads {\n  "/v1/task/list": { query: { "n"?: number | undefined }; data: {  } };\n}\n',
  );
});
