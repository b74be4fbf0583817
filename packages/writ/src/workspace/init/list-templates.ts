import { join } from "node:path";
import { type Context, WritError } from "../../contract/index.ts";
import { inParallel } from "../../platform/index.ts";
import { builtInTemplates, readBuiltIn, type BuiltInTemplate } from "./built-in-templates.ts";
import { readTemplate } from "./find-template.ts";
import type { Registry } from "../gather/gather-registry.ts";
import { anew } from "../gather/read-declared.ts";
import { readManifest } from "../declare/manifest.ts";
import type { StackTemplate } from "../declare/model/stack-manifest.ts";
import { namedRegistry } from "../sources/named-registry.ts";
import { openSources, type SourceFlags, type Sources } from "../sources/open-sources.ts";
import { shippedFolder } from "../shipped/shipped-folder.ts";
import { isOutOfReach } from "../sources/ask-newest.ts";
import { createSourceReader, type SourceReader } from "../sources/source-reader.ts";
import { repoText } from "../declare/sources.ts";
import { surveyTemplate } from "./survey-template.ts";
import { parseTemplateMeta, renderTemplate } from "../declare/template.ts";

/** A template as it is shown before it is used. */
export interface ListedTemplate {
  name: string;
  description: string;
  path: string;
  builtin: boolean;
  /** Computed; what a template says of itself cannot change it. */
  requires_confirmation: boolean;
  composes_stacks: string[];
  clones_repos: string[];
  embeds_in_product_flow?: boolean | string;
  /** False for one that cannot be read. */
  available: boolean;
  /** Why it cannot be read. */
  reason?: string;
}

interface Listing {
  ctx: Context;
  sources: Sources;
  reader: SourceReader;
}

/** Every template there is: the registry's, as they are now, and the built-in ones. */
export async function listTemplates(
  ctx: Context,
  { registry: named, flags }: { registry?: string; flags: SourceFlags },
): Promise<{ registry?: string; templates: ListedTemplate[] }> {
  const sources = openSources({
    settings: ctx.settings,
    folder: ctx.folders.cache,
    signal: ctx.signal,
    command: "writ templates",
    flags,
  });
  const listing: Listing = { ctx, sources, reader: createSourceReader(ctx, sources, ctx.base) };
  const registry = await openRegistry(listing, named);
  const declared = registry?.manifest.templates ?? [];
  const theirs = await inParallel(declared, sources.jobs, (template) =>
    listDeclared(listing, registry as Registry, template),
  );
  const own = await inParallel(builtInTemplates, sources.jobs, (template) => listBuiltIn(listing, template));
  return { ...(registry && { registry: repoText(registry.source) }), templates: [...theirs, ...own] };
}

/** Without any registry in reach the built-in templates are all there is; one that was named must answer. */
async function openRegistry(
  { ctx, sources, reader }: Listing,
  named: string | undefined,
): Promise<Registry | undefined> {
  try {
    return await reader.registry(namedRegistry(ctx, sources, named));
  } catch (error) {
    if (named !== undefined || !isOutOfReach(error)) throw error;
    ctx.warn({
      code: "W_BUILTIN_TEMPLATE",
      message: `Only the built-in templates are listed: the stack registry could not be reached (${error.code}).`,
      remediation: error.failure.remediation,
    });
    return undefined;
  }
}

async function listDeclared(
  listing: Listing,
  registry: Registry,
  template: StackTemplate,
): Promise<ListedTemplate> {
  const known = {
    name: template.name,
    description: template.description ?? "",
    path: template.path,
    builtin: false,
  };
  try {
    const { text } = await readTemplate(registry, template, listing.reader);
    return { ...known, ...(await describe(listing, text, { registry })) };
  } catch (error) {
    if (!(error instanceof WritError) || error.code === "E_CANCELLED") throw error;
    const { message, cause } = error.failure;
    return { ...known, ...unread(`${message} ${cause} (${error.code})`) };
  }
}

function unread(reason: string): Described {
  return { requires_confirmation: true, composes_stacks: [], clones_repos: [], available: false, reason };
}

async function listBuiltIn(listing: Listing, template: BuiltInTemplate): Promise<ListedTemplate> {
  const { name, description, file } = template;
  const known = { name, description, path: `templates/${file}`, builtin: true };
  return {
    ...known,
    ...(await describe(listing, await readBuiltIn(template), { folders: template.folders })),
  };
}

type Described = Pick<
  ListedTemplate,
  | "requires_confirmation"
  | "composes_stacks"
  | "clones_repos"
  | "embeds_in_product_flow"
  | "available"
  | "reason"
>;

/** The facts of a template: what it says in its own block, else what follows from its stacks. */
async function describe(
  { ctx, sources, reader }: Listing,
  text: string,
  { registry, folders = {} }: { registry?: Registry; folders?: Readonly<Record<string, string>> },
): Promise<Described> {
  const rendered = renderTemplate(text, "my-workspace");
  const { manifest, problems } = await readManifest(rendered, anew(sources, ctx.registered));
  const said = parseTemplateMeta(text);
  if (!manifest) {
    const [first] = problems;
    const reason = first ? `Line ${first.line}: ${first.message}` : "It is no workspace.yml.";
    return { ...unread(reason), ...said };
  }
  const survey = await surveyTemplate(manifest, {
    reader,
    shortcuts: async () => registry?.manifest.shortcuts ?? {},
    localPath: (path) => {
      const from = Object.hasOwn(folders, path) ? folders[path] : undefined;
      return from === undefined ? undefined : join(shippedFolder("templates"), from);
    },
  });
  return { ...survey.meta, ...said, requires_confirmation: survey.requiresConfirmation, available: true };
}
