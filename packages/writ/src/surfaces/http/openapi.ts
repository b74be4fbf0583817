import {
  catalogue,
  dataSchema,
  envelopeSchema,
  fail,
  httpPath,
  type JsonSchema,
  rebase,
  type Row,
  toolName,
} from "../../contract/index.ts";
import { always, events, failures, lastEventId, streamPath } from "./openapi-streams.ts";
import { statusOf } from "./status.ts";

const json = (schema: JsonSchema, examples?: JsonSchema) => ({
  "application/json": { schema, ...(examples && { examples }) },
});

/** The OpenAPI 3.1 document of everything this surface offers, made from the registry's rows. */
export function buildOpenApi(rows: readonly Row[], about: { version: string; url: string }): JsonSchema {
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: "Writ",
      version: about.version,
      description:
        "Every capability of one workspace. The answer is the same envelope on every surface. An input that reads standard input when it is given as - reads the body here: POST a file as application/octet-stream, with the input as query parameters.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: about.url }],
    security: [{ token: [] }],
    tags: [...new Set([...rows.map((row) => row.path[0] ?? row.id), "streams"])].map((name) => ({ name })),
    paths: {
      ...Object.fromEntries(rows.map((row) => [httpPath(row), pathOf(row)])),
      "/v1/streams/{stream}": streamPath,
    },
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A token of this workspace." },
      },
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          description: "The same key and input again repeat the first answer, for 24 hours.",
          schema: { type: "string", minLength: 1, maxLength: 200 },
        },
        LastEventId: lastEventId,
      },
      responses: {
        Failure: { description: "The envelope of a failure.", content: json(reference("Failure")) },
      },
      schemas: Object.assign(shared(), ...rows.map(schemasOf)) as JsonSchema,
    },
  };
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The envelope's fields, and the envelope of a failure. */
function shared(): JsonSchema {
  const { $schema: _, title: __, ...envelope } = envelopeSchema;
  return {
    Envelope: envelope,
    Failure: { ...envelope, properties: { ...envelope.properties, ok: { const: false } } },
  };
}

function schemasOf(row: Row): JsonSchema {
  const name = toolName(row);
  const { $schema: _, title: __, ...envelope } = envelopeSchema;
  const answer = {
    ...envelope,
    properties: { ...envelope.properties, ok: { const: true }, data: reference(`${name}.data`) },
  };
  return {
    [`${name}.input`]: rebase(row.input, `#/components/schemas/${name}.input`),
    [`${name}.data`]: dataSchema(row, `#/components/schemas/${name}.data`),
    [name]: answer,
  };
}

function pathOf(row: Row): JsonSchema {
  const post = operation(row, "post", {
    parameters: [
      ...(row.mutates ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
      { $ref: "#/components/parameters/LastEventId" },
    ],
    requestBody: {
      required: row.flags.some((flag) => flag.required),
      content: json(reference(`${toolName(row)}.input`), examplesOf(row)),
    },
  });
  if (row.mutates) return { post };
  return {
    post,
    get: operation(row, "get", {
      parameters: [
        ...row.flags.map((flag) => parameterOf(row, flag)),
        { $ref: "#/components/parameters/LastEventId" },
      ],
    }),
  };
}

function operation(row: Row, method: "get" | "post", parts: JsonSchema): JsonSchema {
  return {
    operationId: method === "post" ? toolName(row) : `${toolName(row)}.get`,
    summary: row.summary,
    ...(row.description && { description: row.description }),
    tags: [row.path[0] ?? row.id],
    ...parts,
    responses: responsesOf(row),
    "x-writ": {
      effect: row.need.effect,
      network: row.need.network,
      errors: row.errors,
      ...(row.may && { may: row.may }),
      ...(row.loopback && { loopback_only: true }),
    },
  };
}

function parameterOf(row: Row, flag: Row["flags"][number]): JsonSchema {
  const properties = (row.input.properties ?? {}) as Record<string, JsonSchema>;
  const schema = rebase(properties[flag.field] ?? {}, `#/components/schemas/${toolName(row)}.input`);
  const about = { name: flag.field, in: "query", description: flag.description, required: flag.required };
  // A structure in a query is JSON text; a list is the parameter repeated.
  return flag.kind === "json" ? { ...about, content: json(schema) } : { ...about, schema, explode: true };
}

function examplesOf(row: Row): JsonSchema {
  return Object.fromEntries(
    row.examples.map((example, i) => [`example${i + 1}`, { summary: example.title, value: example.input }]),
  );
}

function responsesOf(row: Row): JsonSchema {
  const own = row.errors.map((code) =>
    statusOf(fail(code, { message: catalogue[code].when, cause: "", remediation: "" }).toObject()),
  );
  return {
    200: {
      description:
        "Done, or an honest nothing to do. With Accept: text/event-stream, events that end with the envelope; Content-Location is where a lost stream is resumed.",
      content: { ...json(reference(toolName(row))), ...events },
    },
    ...failures([...new Set([...always, ...own])].sort((a, b) => a - b)),
  };
}
