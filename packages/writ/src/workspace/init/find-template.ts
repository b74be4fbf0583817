import { fail, nearest, type Context, WritError } from "../../contract/index.ts";
import { isOutOfReach } from "../sources/ask-newest.ts";
import { builtInTemplates, findBuiltIn, readBuiltIn, type BuiltInTemplate } from "./built-in-templates.ts";
import type { Registry } from "../gather/gather-registry.ts";
import type { StackTemplate } from "../declare/model/stack-manifest.ts";
import type { SourceReader } from "../sources/source-reader.ts";
import { identityOf, parseRepo, repoText, siblingOf, type Resolvable } from "../declare/sources.ts";

/** A template with its text, and where it came from. */
export interface FoundTemplate {
  name: string;
  text: string;
  builtIn?: BuiltInTemplate;
  repo?: string;
  commit?: string;
  path?: string;
  registry?: Registry;
}

export const defaultTemplate = "blank";

/**
 * Finds a template by name: a built-in one without asking anybody, else the registry's. Without a name the
 * registry's `blank` is meant, and the built-in one where there is no registry to ask.
 */
export async function findTemplate(
  ctx: Context,
  name: string | undefined,
  { reader, registry: open }: { reader: SourceReader; registry: () => Promise<Registry> },
): Promise<FoundTemplate> {
  const builtIn = name === undefined ? undefined : findBuiltIn(name);
  if (builtIn) return { name: builtIn.name, builtIn, text: await readBuiltIn(builtIn) };
  // That prefix is Writ's own: no registry can have such a template.
  if (name?.startsWith("writ/")) throw unknownTemplate(name, undefined);
  const registry = await open().catch((error: unknown) => {
    if (!isOutOfReach(error)) throw error;
    if (name !== undefined) throw unseenTemplate(name, error);
    return undefined;
  });
  if (!registry) return blankInstead(ctx, "no stack registry could be reached");
  const wanted = name ?? defaultTemplate;
  const declared = registry.manifest.templates.find((template) => template.name === wanted);
  if (declared) return { registry, ...(await readTemplate(registry, declared, reader)) };
  if (name !== undefined) throw unknownTemplate(name, registry);
  return blankInstead(ctx, `the registry ${repoText(registry.source)} has no template "${defaultTemplate}"`);
}

/** Reads a registry's template from its repository, on the registry's own host. */
export async function readTemplate(
  registry: Registry,
  template: StackTemplate,
  reader: SourceReader,
): Promise<Omit<FoundTemplate, "registry"> & { path: string }> {
  const { source, path } = placeOf(registry, template);
  const own = identityOf(source, reader.base) === identityOf(registry.source, reader.base);
  const found = await reader.file(source, path, own ? registry.answer : undefined);
  if (!found) throw brokenTemplate(registry, template, `${repoText(source)} has no file "${path}".`);
  return {
    name: template.name,
    text: found.bytes.toString("utf8"),
    repo: repoText(source),
    commit: found.commit,
    path,
  };
}

function placeOf(registry: Registry, template: StackTemplate): { source: Resolvable; path: string } {
  const [org = "", repo = "", ...rest] = template.path.split("/");
  const named = parseRepo(`${org}/${repo}`);
  const sibling = named.fault ? named : siblingOf(registry.source, { org, name: repo });
  if (sibling.fault)
    throw brokenTemplate(
      registry,
      template,
      `Its path "${template.path}" is refused: ${sibling.fault.message}.`,
    );
  return { source: sibling.value, path: rest.join("/") };
}

async function blankInstead(ctx: Context, why: string): Promise<FoundTemplate> {
  const blank = findBuiltIn("writ/blank");
  if (!blank) throw new TypeError("the blank template is gone");
  ctx.warn({
    code: "W_BUILTIN_TEMPLATE",
    message: `The built-in template writ/blank was used: ${why}.`,
    remediation: "See what there is with writ templates, and name one with --template.",
  });
  return { name: blank.name, builtIn: blank, text: await readBuiltIn(blank) };
}

function unknownTemplate(name: string, registry: Registry | undefined) {
  const available = templateNames(registry);
  const near = nearTemplate(name, available);
  return fail("E_UNKNOWN_TEMPLATE", {
    message: `There is no template "${name.slice(0, 80)}".`,
    cause: `There are ${available.join(", ")}.`,
    remediation: near
      ? `Did you mean --template ${near}? See them: writ templates`
      : "See them: writ templates",
    details: {
      template: name.slice(0, 80),
      available,
      ...(registry && { registry: repoText(registry.source) }),
      ...(near && { nearest: near }),
    },
  });
}

/** The name that was meant, whether or not the prefix of Writ's own was typed. */
function nearTemplate(name: string, names: readonly string[]): string | undefined {
  const bare = (one: string) => one.slice(one.lastIndexOf("/") + 1);
  const near = nearest(bare(name), names.map(bare));
  return names.find((one) => one === near) ?? names.find((one) => bare(one) === near);
}

/** No registry can say whether it has that template; one that ships with Writ may be what was meant. */
function unseenTemplate(name: string, error: WritError): WritError {
  const near = nearTemplate(name, templateNames(undefined));
  if (near === undefined) return error;
  const { failure } = error;
  return new WritError(error.code, {
    ...failure,
    cause: `${failure.cause} No template that ships with Writ is called "${name.slice(0, 80)}".`,
    remediation: `Did you mean --template ${near}? It needs no registry. Else: ${failure.remediation}`,
    details: { ...failure.details, nearest: near },
  });
}

/** The names of a registry's templates and of the built-in ones, sorted. */
export function templateNames(registry: Registry | undefined): string[] {
  const own = builtInTemplates.map(({ name }) => name);
  return [...new Set([...(registry?.manifest.templates ?? []).map(({ name }) => name), ...own])].toSorted();
}

function brokenTemplate(registry: Registry, template: StackTemplate, cause: string) {
  return fail("E_INVALID_REGISTRY", {
    message: `The template "${template.name}" of ${repoText(registry.source)} cannot be read.`,
    cause,
    remediation: "Correct its path in the registry's awac.yml, or use another template: writ templates",
    details: { stack: repoText(registry.source), template: template.name, path: template.path },
  });
}
