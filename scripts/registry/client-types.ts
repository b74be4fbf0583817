import type { JsonSchema } from "../../packages/writ/src/contract/index.ts";

/** The TypeScript type of a JSON Schema, as far as Writ's own schemas go; throws on anything else. */
export function typeOf(schema: JsonSchema): string {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return unionOf(choices.map((choice: JsonSchema) => typeOf(choice)));
  if (Array.isArray(schema.type))
    return unionOf(schema.type.map((type: unknown) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `(${schema.items ? typeOf(schema.items as JsonSchema) : "unknown"})[]`;
    case "object":
      return objectOf(schema);
    case undefined:
      if (Object.keys(schema).every((key) => key === "description" || key === "default")) return "unknown";
  }
  throw new Error(`no TypeScript is written for the schema ${JSON.stringify(schema).slice(0, 200)}`);
}

const unionOf = (types: string[]): string => [...new Set(types)].join(" | ");

function objectOf({ properties = {}, required = [], additionalProperties: rest }: JsonSchema): string {
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, schema]) =>
      `${JSON.stringify(name)}${(required as string[]).includes(name) ? "" : "?"}: ${typeOf(schema)}`,
  );
  // Beside named fields an index would have to allow the type of each of them.
  if (rest !== undefined && rest !== false)
    fields.push(`[more: string]: ${fields.length > 0 ? "unknown" : typeOf(rest as JsonSchema)}`);
  return `{ ${fields.join("; ")} }`;
}

interface OpenApi {
  paths: Record<string, { get?: { operationId: string; parameters: JsonSchema[] } }>;
  components: { schemas: Record<string, JsonSchema> };
}

/** What a client may read: the query and the data of each GET of an OpenAPI document. */
export function readsOf(document: JsonSchema): string {
  const { paths, components } = document as unknown as OpenApi;
  const reads = Object.entries(paths).flatMap(([path, { get }]) => {
    const data = get && components.schemas[`${get.operationId.replace(/\.get$/, "")}.data`];
    if (!data) return [];
    const query = get.parameters
      .filter(({ name }) => name !== undefined)
      .map(
        ({ name, schema }) =>
          `${JSON.stringify(name)}?: ${schema ? typeOf(schema as JsonSchema) : "string"} | undefined`,
      );
    return [`  ${JSON.stringify(path)}: { query: { ${query.join("; ")} }; data: ${typeOf(data)} };`];
  });
  return `export interface Reads {\n${reads.join("\n")}\n}\n`;
}
