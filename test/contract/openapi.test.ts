import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { expect, test } from "vitest";
import { httpPath, type JsonSchema, type Row } from "../../packages/writ/src/contract/index.ts";
import { buildOpenApi } from "../../packages/writ/src/surfaces/http/index.ts";
import { awkward, createStage } from "../support/awkward.ts";
import { envelopeOf, listening, type TestServer } from "../support/http-surface.ts";

interface Operation {
  operationId: string;
  parameters?: JsonSchema[];
  requestBody?: { content: { "application/json": { examples: Record<string, { value: unknown }> } } };
  responses: Record<string, JsonSchema>;
}

interface Document extends JsonSchema {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

async function documentOf(server: TestServer): Promise<Document> {
  return (await (await server.send("/v1/openapi.json")).json()) as Document;
}

/** Validates a value against a component of the document, through the document's own references. */
function validator(document: Document, component: string) {
  const schema = { ...document, $ref: `#/components/schemas/${component}` };
  return new AjvJsonSchemaValidator().getValidator(schema as never);
}

/** Every reference in the document, with what it points to. */
function references(document: JsonSchema): { ref: string; found: unknown }[] {
  const found: { ref: string; found: unknown }[] = [];
  const walk = (value: unknown): void => {
    if (value === null || typeof value !== "object") return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== "$ref" || typeof inner !== "string") walk(inner);
      else found.push({ ref: inner, found: follow(document, inner) });
    }
  };
  walk(document);
  return found;
}

function follow(document: unknown, ref: string): unknown {
  if (!ref.startsWith("#")) return undefined;
  return ref
    .split("/")
    .slice(1)
    .reduce(
      (at, step) => (at as JsonSchema | undefined)?.[step.replaceAll("~1", "/").replaceAll("~0", "~")],
      document,
    );
}

test("CT-29: the OpenAPI document has every capability of this surface at its path, and no other", async () => {
  await using server = await listening();
  const document = await documentOf(server);
  const offered = server.deps.registry.rows.filter((row) => row.on.includes("http"));
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths)).toEqual([...offered.map(httpPath), "/v1/streams/{stream}"]);
  for (const row of offered) {
    expect(Object.keys(document.paths[httpPath(row)] ?? {})).toEqual(
      row.mutates ? ["post"] : ["post", "get"],
    );
  }
});

test("CT-29: every reference in the OpenAPI document resolves, also those of schemas that name themselves", async () => {
  await using server = await listening();
  const all = references(await documentOf(server));
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter(({ found }) => found === undefined)).toEqual([]);
  expect(all.some(({ ref }) => ref.includes("tree_show.data/$defs/"))).toBe(true);
});

test("CT-29: operations are named once, and say what every answer is", async () => {
  await using server = await listening();
  const document = await documentOf(server);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const names = operations.map((operation) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { responses, parameters = [] } of operations) {
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(["400", "401", "403", "413", "429", "503"]),
    );
    expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
    const places = parameters.map(({ name, in: place, $ref }) => `${String($ref ?? place)} ${String(name)}`);
    expect(new Set(places).size).toBe(places.length);
  }
  expect(document.paths["/v1/bad/check"]?.post?.responses).toHaveProperty("424");
  expect(JSON.stringify(document.paths["/v1/keep"]?.post)).toContain("IdempotencyKey");
  expect(JSON.stringify(document.paths["/v1/echo/say"]?.post)).not.toContain("IdempotencyKey");
  for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^[\w.-]+$/);
});

test("CT-29: the examples fit the input's schema, and what fits no field does not", async () => {
  await using server = await listening();
  const document = await documentOf(server);
  for (const [path, { post }] of Object.entries(document.paths)) {
    if (!post) continue;
    const check = validator(document, `${post.operationId}.input`);
    const examples = Object.values(post.requestBody?.content["application/json"].examples ?? {});
    expect(examples.length).toBeGreaterThan(1);
    for (const { value } of examples) expect([path, check(value)]).toMatchObject([path, { valid: true }]);
    expect(check({ no_such_field: 1 }).valid).toBe(false);
  }
});

test("RN-11: the OpenAPI document says how a lost stream is resumed, and how its call is given up", async () => {
  await using server = await listening();
  const document = await documentOf(server);
  const { get, delete: end } = document.paths["/v1/streams/{stream}"] ?? {};
  expect(get?.responses).toHaveProperty("200");
  expect(end?.responses).toHaveProperty("204");
  const calls = Object.values(document.paths).flatMap(({ post }) => post ?? []);
  expect(calls.length).toBeGreaterThan(5);
  for (const { parameters } of calls) expect(JSON.stringify(parameters)).toContain("LastEventId");
});

test("CT-29: what a call answers fits the schema of its answer", async () => {
  await using server = await listening();
  const document = await documentOf(server);
  const done = await envelopeOf(await server.send("/v1/tree/show"));
  expect(validator(document, "tree_show")(done)).toMatchObject({ valid: true });
  expect(validator(document, "tree_show")({ ...done, data: { tree: { name: 1 } } }).valid).toBe(false);
  const failed = await envelopeOf(await server.send("/v1/bad/check"));
  expect(validator(document, "Failure")(failed)).toMatchObject({ valid: true });
  expect(validator(document, "bad_check")(failed).valid).toBe(false);
});

test("CT-20: a replay lacks what is shown once, and still fits", () => {
  const { rows } = awkward(createStage());
  const keep = rows.find((row) => row.id === "thing.keep") as Row;
  const document = buildOpenApi([keep], { version: "1.0.0", url: "http://127.0.0.1:4747" }) as Document;
  const check = validator(document, "keep.data");
  expect(check({ name: "cup", changed: true, dry_run: false })).toMatchObject({ valid: true });
  expect(check({ name: "cup", changed: true, dry_run: false, key: "k", added_later: 1 })).toMatchObject({
    valid: true,
  });
  expect(check({ key: "k", changed: true, dry_run: false }).valid).toBe(false);
});
