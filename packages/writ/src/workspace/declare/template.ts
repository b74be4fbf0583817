import type { DeclaredRepo, ResolvedStack } from "./declared.ts";
import { TemplateMetaSchema, type TemplateMeta } from "./model/template-meta.ts";
import { readFile } from "./problems.ts";
import { isMapping } from "./schema-walk.ts";
import { repoText } from "./sources.ts";

/** Stands in a template where the workspace's name goes. */
const placeholder = "<CHANGE-ME>";

const META_WITHIN_LINES = 30;
const META_MAX_LINES = 24;

/**
 * Makes workspace.yml of a template. The name's pattern is safe in YAML, so the placeholder is replaced as
 * text; a template without it gets its `name` key set.
 */
export function renderTemplate(text: string, name: string): string {
  const filled = text.replaceAll(placeholder, name);
  const reading = readFile(filled, "template");
  if (!isMapping(reading.value) || reading.value["name"] === name) return filled;
  const lines = filled.split("\n");
  if (Object.hasOwn(reading.value, "name")) lines[reading.locate("/name", "key").line - 1] = `name: ${name}`;
  else lines.splice(firstContent(lines), 0, `name: ${name}`);
  return lines.join("\n");
}

function firstContent(lines: readonly string[]): number {
  const at = lines.findIndex(
    (line) => line.trim() !== "" && !line.startsWith("#") && !line.startsWith("---"),
  );
  return at < 0 ? lines.length : at;
}

/** The metadata block of a template; undefined when it has none that can be read. */
export function parseTemplateMeta(text: string): TemplateMeta | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const start = lines.slice(0, META_WITHIN_LINES).findIndex((line) => /^\s*#.*wsp-template-meta/.test(line));
  if (start < 0) return undefined;
  const after = lines.slice(start + 1, start + 1 + META_MAX_LINES);
  const end = after.findIndex((line) => !/^\s*#/.test(line));
  const block = (end < 0 ? after : after.slice(0, end)).map((line) => line.replace(/^\s*#/, "")).join("\n");
  const { value } = readFile(block, "wsp-template-meta");
  return isMapping(value) ? metaOf(value) : undefined;
}

/** It is only shown, so a key that cannot be read hides no other. */
function metaOf(value: Readonly<Record<string, unknown>>): TemplateMeta | undefined {
  const keys = Object.keys(TemplateMetaSchema.shape) as (keyof TemplateMeta)[];
  const readable = keys.filter(
    (key) => value[key] !== undefined && TemplateMetaSchema.shape[key].safeParse(value[key]).success,
  );
  return readable.length === 0
    ? undefined
    : (Object.fromEntries(readable.map((key) => [key, value[key]])) as TemplateMeta);
}

/** The same facts, worked out from what the template would compose and clone. */
export function deriveTemplateMeta(
  stacks: readonly ResolvedStack[],
  repos: readonly DeclaredRepo[],
): Required<TemplateMeta> {
  const product = stacks.find(({ manifest }) => manifest.repos.length > 0)?.manifest.product;
  return {
    composes_stacks: stacks.map(({ label }) => label),
    clones_repos: repos.map(({ source }) => repoText(source)),
    embeds_in_product_flow: product ?? false,
  };
}
