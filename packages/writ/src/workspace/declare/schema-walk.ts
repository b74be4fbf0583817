import * as z from "zod";

type Schema = z.core.$ZodType;

/** What is inside the wrappings that leave a value's form as it is. */
function bare(schema: Schema): Schema {
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  const wrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly;
  return wrapped ? bare(schema.unwrap()) : schema;
}

/** The schemas one step further in; several where a union leaves it open. */
function stepInto(wrapped: Schema, member: PropertyKey): Schema[] {
  const schema = bare(wrapped);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => stepInto(option, member));
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (!(schema instanceof z.ZodObject)) return [];
  const inner: Schema | undefined = schema.shape[String(member)];
  return inner ? [inner] : [];
}

/** The schemas that stand at a path. */
export function schemasAt(root: Schema, path: readonly PropertyKey[]): Schema[] {
  return path.reduce<Schema[]>((at, member) => at.flatMap((schema) => stepInto(schema, member)), [root]);
}

/** The keys that an object may have, at any of the forms a union allows. */
export function keysOf(wrapped: Schema): string[] {
  const schema = bare(wrapped);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(keysOf);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The value without the free keys (`x-…`) of its closed objects; the names of a record are left alone. */
export function withoutFreeKeys(wrapped: Schema, value: unknown): unknown {
  const schema = bare(wrapped);
  if (schema instanceof z.ZodUnion) {
    return schema.options.reduce((rest: unknown, option: Schema) => withoutFreeKeys(option, rest), value);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((member) => withoutFreeKeys(schema.element, member));
  }
  if (schema instanceof z.ZodRecord && isMapping(value)) {
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, member]) => [key, withoutFreeKeys(schema.valueType, member)]),
    );
  }
  if (!(schema instanceof z.ZodObject) || !isMapping(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !key.startsWith("x-") || key in schema.shape);
  return Object.fromEntries(
    kept.map(([key, member]) => {
      const inner: Schema | undefined = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
      return [key, inner ? withoutFreeKeys(inner, member) : member];
    }),
  );
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a path leads to; undefined when there is nothing. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const member of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, member)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[member];
  }
  return at;
}

/** A path as a JSON pointer. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((member) => `/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A path as a person would write it: `stacks[0].branch`. */
export function spell(path: readonly PropertyKey[]): string {
  const text = path
    .map((member) => (typeof member === "number" ? `[${member}]` : `.${String(member)}`))
    .join("");
  return text.replace(/^\./, "") || "the file";
}
