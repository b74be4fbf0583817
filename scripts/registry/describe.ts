import * as z from "zod";
import {
  type Capability,
  dryRunFlag,
  type Flag,
  inputOf,
  type JsonSchema,
  type Row,
  type Surface,
} from "../../packages/writ/src/contract/index.ts";

const surfaces: Surface[] = ["cli", "http", "mcp", "agent"];
/** Metadata that steers the command line; it is no part of a published schema. */
const cliOnly = ["positional", "env", "alias", "secret", "local_path"];

/** Turns a declaration into plain data: the row that every surface projects. */
export async function describeLater(capability: Capability): Promise<Row> {
  const [input, output] = await Promise.all([inputOf(capability), capability.output()]);
  return describe({ ...capability, input, output: () => output });
}

/** The same for a declaration whose output is at hand. */
export function describe(capability: Capability): Row {
  const built = capability.output();
  if (built instanceof Promise) throw new Error(`the output of ${capability.id} is not at hand`);
  if (typeof capability.input === "function") throw new Error(`the input of ${capability.id} is not at hand`);
  const input = jsonSchema(capability.input, "input");
  const output = jsonSchema(built, "output");
  const mutates = capability.need.effect !== "observe";
  return {
    id: capability.id,
    path: (capability.path ?? capability.id.replaceAll(".", " ")).split(" "),
    ...(capability.formerly && { formerly: capability.formerly }),
    summary: capability.summary,
    ...(capability.description && { description: capability.description }),
    need: capability.need,
    mutates,
    ...(capability.undo && { undo: capability.undo }),
    ...(capability.may && { may: capability.may }),
    ...(capability.loopback && { loopback: true }),
    on: [...(capability.on ?? surfaces)],
    heavy: capability.heavy === true,
    streams: capability.events !== undefined,
    errors: [...capability.errors],
    examples: [...capability.examples],
    related: [...(capability.related ?? [])],
    flags: flagsOf(input),
    ...emptyOf(capability.input),
    secrets: secretsOf(output),
    input: inputSchema(input, mutates),
    output: outputSchema(output, mutates),
  };
}

function jsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
    override: ({ jsonSchema: made }) => {
      // Zod gives every integer the bounds of a safe one; JSON has no other, so a reader need not hear of them.
      if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
    },
  });
  return rest as JsonSchema;
}

/** What nothing at all is read as: most calls of a command that needs nothing say nothing. */
function emptyOf(schema: z.ZodObject): Pick<Row, "empty"> {
  const { data } = schema.safeParse({});
  const isSimple = (value: unknown) =>
    ["string", "number", "boolean"].includes(typeof value) || (Array.isArray(value) && value.length === 0);
  return data && Object.values(data).every(isSimple) ? { empty: data } : {};
}

type Property = JsonSchema & {
  type?: string;
  enum?: unknown[];
  items?: Property;
  anyOf?: Property[];
  description?: string;
  default?: unknown;
  positional?: number;
  env?: string;
  alias?: string;
  secret?: boolean;
};

function propertiesOf(schema: JsonSchema): Record<string, Property> {
  return (schema.properties ?? {}) as Record<string, Property>;
}

function flagsOf(input: JsonSchema): Flag[] {
  const required = (input.required ?? []) as string[];
  return Object.entries(propertiesOf(input)).map(([field, property]) => {
    const many = property.type === "array";
    const one = many ? (property.items ?? {}) : property;
    const constraint = constraintOf(one);
    if (!property.description) throw new Error(`input field "${field}" has no description`);
    return {
      field,
      name: field.replaceAll("_", "-"),
      ...(property.alias && { alias: property.alias }),
      kind: kindOf(one),
      many,
      ...(many && wordsOf(property)),
      required: required.includes(field) && property.default === undefined,
      ...(property.positional !== undefined && { positional: property.positional }),
      description: property.description,
      ...(property.default !== undefined && { default: property.default }),
      ...(one.enum && { choices: one.enum.map(String) }),
      ...(property.env && { env: property.env }),
      ...(constraint && { constraint }),
    };
  });
}

// A list of a fixed length is written after its flag, word by word.
function wordsOf({ minItems, maxItems }: JsonSchema): { words?: number } {
  return typeof minItems === "number" && minItems > 1 && minItems === maxItems ? { words: minItems } : {};
}

function kindOf(property: Property): Flag["kind"] {
  const { type } = property;
  if (type === "string" || type === "number" || type === "integer" || type === "boolean") return type;
  return "json";
}

function constraintOf(property: Property): string | undefined {
  const { pattern, minimum, maximum, minLength, maxLength, exclusiveMinimum, format } = property as Record<
    string,
    unknown
  >;
  const bound = (value: unknown) => typeof value === "number";
  const facts = [
    pattern && !format ? `matching ${String(pattern)}` : undefined,
    format ? `a ${String(format)}` : undefined,
    bound(minimum) ? `at least ${String(minimum)}` : undefined,
    bound(exclusiveMinimum) ? `above ${String(exclusiveMinimum)}` : undefined,
    bound(maximum) ? `at most ${String(maximum)}` : undefined,
    bound(minLength) && Number(minLength) > 1 ? `at least ${String(minLength)} characters` : undefined,
    bound(maxLength) ? `at most ${String(maxLength)} characters` : undefined,
  ].filter((fact) => fact !== undefined);
  return facts.length > 0 ? facts.join(", ") : undefined;
}

function secretsOf(output: JsonSchema): string[] {
  return Object.entries(propertiesOf(output)).flatMap(([field, property]) =>
    property.secret ? [field] : [],
  );
}

function published(schema: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([field, property]) => {
      const kept = Object.entries(property).filter(([key]) => !cliOnly.includes(key));
      return [field, Object.fromEntries(kept)];
    }),
  );
}

function inputSchema(input: JsonSchema, mutates: boolean): JsonSchema {
  const { kind, default: usual, description } = dryRunFlag;
  const withDefaults = propertiesOf(input);
  const required = ((input.required ?? []) as string[]).filter(
    (field) => withDefaults[field]?.default === undefined,
  );
  return {
    ...input,
    type: "object",
    properties: {
      ...published(input),
      ...(mutates && { dry_run: { type: kind, default: usual, description } }),
    },
    ...(required.length > 0 ? { required } : { required: [] }),
    additionalProperties: false,
  };
}

const line = { type: "string" };

/** What `data` may hold on top of what a command declares. */
export const ofEveryAnswer = {
  workspace: {
    type: "object",
    properties: { root: line, source: { enum: ["flag", "env", "cwd", "init"] } },
    required: ["root", "source"],
    additionalProperties: false,
    description: "The workspace the call resolved.",
  },
  changed: { type: "boolean", description: "Whether anything changed." },
  dry_run: { type: "boolean", description: "Whether this was a dry run." },
  reason: { ...line, description: "Why nothing was done or found." },
  next: { type: "array", items: line, description: "Command lines: what to do next." },
  fix_command: { ...line, description: "The command line that would fill an empty result." },
};

function outputSchema(output: JsonSchema, mutates: boolean): JsonSchema {
  const { workspace, changed, dry_run, ...more } = ofEveryAnswer;
  return {
    ...output,
    type: "object",
    properties: { workspace, ...(mutates && { changed, dry_run }), ...published(output), ...more },
    required: [...(mutates ? ["changed", "dry_run"] : []), ...((output.required ?? []) as string[])],
    // A capability whose answers differ by what was asked declares its output loose.
    additionalProperties: output.additionalProperties ?? false,
  };
}
