import {
  catalogue,
  type Command,
  type ErrorCode,
  fail,
  flagWord,
} from "../../packages/writ/src/contract/index.ts";
import { reasoningSchemas } from "../../packages/writ/src/reasoning/surface/schemas.ts";
import { statusOf } from "../../packages/writ/src/surfaces/http/status.ts";

/** What of a JSON schema a page shows. */
interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Every kind and table, command and error of reasoning in Markdown, from what the program itself reads with. */
export function reasoningPage(commands: readonly Command[]): string {
  const schemas = reasoningSchemas() as unknown as Record<string, Schema & { $defs?: { stored?: Schema } }>;
  const record = schemas["reasoning-record"];
  const stored = record?.$defs?.stored;
  const taken = new Set(record?.oneOf?.map(kindOf));
  const bodies = stored?.properties?.body?.oneOf ?? [];
  const ours = commands.filter(({ path }) => path[0] === "reasoning" || path[0] === "task");
  return [
    "# Reasoning: kinds, tables, commands and errors",
    "",
    "<!-- Generated from the schemas by `npm run golden`; change them there. -->",
    "",
    "How they belong together is told in [Reasoning](../reasoning.md). `writ schema reasoning-record` prints the same for",
    "a program.",
    "",
    "## What you record",
    ...(record?.oneOf ?? []).flatMap((one) => ["", `### ${kindOf(one)}`, "", ...fieldTable(one)]),
    "",
    "## What Writ adds",
    "",
    "The frame of every record:",
    "",
    ...fieldTable({ ...stored, properties: without(stored?.properties, "body") }),
    ...bodies
      .filter((one) => !taken.has(kindOf(one)))
      .flatMap((one) => ["", `### ${kindOf(one)}`, "", ...fieldTable(one)]),
    "",
    "## Tables",
    ...["advisors", "providers", "models"].flatMap((file) => [
      "",
      `### ${file}.yml`,
      "",
      ...fieldTable(schemas[file] ?? {}),
    ]),
    "",
    "## Commands",
    ...ours.flatMap(commandLines),
    "",
    "## Errors",
    "",
    ...errorTable([...new Set(ours.flatMap(({ errors }) => errors))].toSorted() as ErrorCode[]),
    "",
  ].join("\n");
}

const kindOf = (schema: Schema): string => String(schema.properties?.kind?.const);
const without = (properties: Schema["properties"] = {}, name: string): Record<string, Schema> =>
  Object.fromEntries(Object.entries(properties).filter(([one]) => one !== name));

function fieldTable(schema: Schema): string[] {
  const rows = fieldsOf({ ...schema, properties: without(schema.properties, "kind") });
  return ["| field | | form | |", "| --- | --- | --- | --- |", ...rows];
}

/** The fields of an object, those of the objects in it after it. */
function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ""): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { description = "", default: usual } = schema;
    const need = usual === undefined && required.includes(name) ? "required" : "";
    const given = usual !== undefined && !(Array.isArray(usual) && usual.length === 0);
    const form = `${formOf(schema)}${given ? `; default ${code(usual)}` : ""}`;
    const many = schema.type === "array";
    const inner = many ? schema.items : schema;
    return [
      `| ${code(`${prefix}${name}`)} | ${need} | ${form} | ${cell(description)} |`,
      ...fieldsOf(inner ?? {}, `${prefix}${name}${many ? "[]" : ""}.`),
    ];
  });
}

function formOf(schema: Schema): string {
  const { type, enum: words, const: only, items, anyOf, pattern, minimum, maximum } = schema;
  if (words) return words.map(code).join(", ");
  if (only !== undefined) return code(only);
  if (anyOf) return anyOf.map(formOf).join(" or ");
  if (type === "array") return `list of ${formOf(items ?? {})}`;
  if (pattern !== undefined) return `text like ${code(pattern)}`;
  if (type !== "integer" && type !== "number") return type === "string" ? "text" : (type ?? "anything");
  const bounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? `from ${minimum}` : "";
  return [type, least, bounded ? `to ${maximum}` : ""].filter((part) => part !== "").join(" ");
}

function commandLines({ path, summary, flags, errors }: Command): string[] {
  const rows = flags.map(
    ({ name, kind, many, required, positional, description, choices, default: usual }) => {
      const shown = positional === undefined ? flagWord(name) : name.toUpperCase();
      const given = usual !== undefined && usual !== false && !(Array.isArray(usual) && usual.length === 0);
      const one = choices?.map(code).join(", ") ?? (kind === "string" ? "text" : kind);
      const form = `${many ? "list of " : ""}${one}${given ? `; default ${code(usual)}` : ""}`;
      return `| ${code(shown)} | ${required ? "required" : ""} | ${form} | ${cell(description)} |`;
    },
  );
  return [
    "",
    `### writ ${path.join(" ")}`,
    "",
    summary,
    "",
    ...(rows.length > 0 ? ["| flag | | form | |", "| --- | --- | --- | --- |", ...rows, ""] : []),
    `Errors: ${errors.length > 0 ? errors.map(code).join(", ") : "those of every command"}.`,
  ];
}

function errorTable(codes: readonly ErrorCode[]): string[] {
  const rows = codes.map((one) => {
    const { category, when } = catalogue[one];
    const error = fail(one, { message: when, cause: "", remediation: "" }).toObject();
    return `| ${code(one)} | ${category} | ${error.exit_code} | ${statusOf(error)} | ${cell(when)} |`;
  });
  return ["| code | category | exit | HTTP | when |", "| --- | --- | --- | --- | --- |", ...rows];
}

const oneCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const cell = (text: string): string => oneCell(text).replaceAll("<", "&lt;");
const code = (value: unknown): string =>
  `\`${oneCell(typeof value === "string" ? value : JSON.stringify(value))}\``;
