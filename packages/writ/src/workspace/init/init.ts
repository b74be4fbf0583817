import { isAbsolute, join, relative } from "node:path";
import type { Context, OwedEvent } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import { defaultTemplate, findTemplate, type FoundTemplate } from "./find-template.ts";
import { sha256 } from "../swap/hashes.ts";
import { confirmTemplate, initCommand } from "./init-confirm.ts";
import { createWorkspace, findExisting } from "./init-create.ts";
import { knownTemplates, nameMissing } from "./init-missing.ts";
import { targetOf, type InitTarget } from "./init-target.ts";
import { manifestFile } from "../declare/file-names.ts";
import { readManifest, type ReadSettings } from "../declare/manifest.ts";
import type { Manifest } from "../declare/model/manifest.ts";
import { anew } from "../gather/read-declared.ts";
import { namedRegistry } from "../sources/named-registry.ts";
import { openSources, type SourceFlags } from "../sources/open-sources.ts";
import { problemsError } from "../declare/problems.ts";
import { shippedFolder } from "../shipped/shipped-folder.ts";
import { createSourceReader, type SourceReader } from "../sources/source-reader.ts";
import { needsRegistry } from "../declare/sources.ts";
import { surveyTemplate, type Survey } from "./survey-template.ts";
import { renderTemplate } from "../declare/template.ts";

/** What init was asked for. */
export interface InitRequest {
  name?: string;
  template?: string;
  target?: string;
  registry?: string;
  yes: boolean;
  flags: SourceFlags;
}

/** What init made, or would make. */
export interface InitData extends Record<string, unknown> {
  file: string;
  name: string;
  template: { name: string; repo?: string; commit?: string; path?: string };
  confirmed: boolean;
  next: string[];
  changed: boolean;
  reason?: string;
}

/** Makes a workspace of a template: name, target, template, gate, render, validate, create. */
export async function initWorkspace(ctx: Context, request: InitRequest): Promise<InitData> {
  const given = await whole(ctx, request);
  const target = await targetOf(ctx, given);
  ctx.emit({ phase: "resolve" });
  const sources = openSources({
    settings: ctx.settings,
    folder: ctx.folders.cache,
    signal: ctx.signal,
    command: "writ init",
    flags: request.flags,
  });
  const reader = createSourceReader(ctx, sources, target.root);
  const openRegistry = () => reader.registry(namedRegistry(ctx, sources, given.registry));
  const template = await findTemplate(ctx, given.template, { reader, registry: openRegistry });

  const text = renderTemplate(template.text, target.name);
  const manifest = await manifestOf(text, template.name, anew(sources, ctx.registered));
  const surveyed = await survey(manifest, { template, reader, openRegistry });
  const confirmed = await confirmTemplate(ctx, template.name, {
    survey: surveyed,
    yes: request.yes,
    command: initCommand(given),
  });
  const data = dataOf(ctx, { target, template, manifest, confirmed, registry: given.registry });
  return make(ctx, { target, template, text, data });
}

/** The request with what a person at the terminal adds when asked. */
async function whole(ctx: Context, request: InitRequest): Promise<InitRequest & { name: string }> {
  const { ask } = ctx;
  if (!ask) {
    if (request.name === undefined) throw await nameMissing(ctx, request.registry);
    return { ...request, name: request.name };
  }
  const answered =
    request.name ?? (await ask("A name for the workspace (lower-case letters, digits, hyphens):"));
  if (answered === "") throw await nameMissing(ctx, request.registry);
  const chosen =
    request.template ?? (await ask("Which template?", await knownTemplates(ctx, request.registry)));
  // The default is chosen by naming none: then no registry is needed either.
  const byDefault = request.template === undefined && chosen === defaultTemplate;
  return { ...request, name: answered, ...(!byDefault && { template: chosen }) };
}

async function manifestOf(text: string, name: string, settings: ReadSettings): Promise<Manifest> {
  const { manifest, problems } = await readManifest(text, settings);
  if (manifest) return manifest;
  throw problemsError(problems, "E_INVALID_MANIFEST", {
    subject: `the template ${name}`,
    details: { template: name },
    remediation: "Correct the template where it comes from, or use another: writ templates",
  });
}

function survey(
  manifest: Manifest,
  {
    template,
    reader,
    openRegistry,
  }: {
    template: FoundTemplate;
    reader: SourceReader;
    openRegistry: () => ReturnType<SourceReader["registry"]>;
  },
): Promise<Survey> {
  const folders = template.builtIn?.folders ?? {};
  return surveyTemplate(manifest, {
    reader,
    shortcuts: async () => (template.registry ?? (await openRegistry())).manifest.shortcuts,
    localPath: (path) => {
      const from = Object.hasOwn(folders, path) ? folders[path] : undefined;
      return from === undefined ? undefined : join(shippedFolder("templates"), from);
    },
  });
}

interface Found {
  target: InitTarget;
  template: FoundTemplate;
}

/** The flag that names a workspace from where the caller stands; nothing where they stand in it. */
function workspaceFlag(base: string, root: string): string {
  const below = relative(base, root);
  if (below === "") return "";
  return ` --workspace ${quote(below.startsWith("..") || isAbsolute(below) ? root : below)}`;
}

function dataOf(
  ctx: Pick<Context, "base">,
  of: Found & { manifest: Manifest; confirmed: boolean; registry: string | undefined },
): Omit<InitData, "changed"> {
  const { target, template, manifest, confirmed, registry } = of;
  const { name, repo, commit, path } = template;
  // workspace.yml names no registry, so the one that was given here has to be given again.
  const env =
    registry !== undefined &&
    !manifest.registry &&
    manifest.stacks.some(({ source }) => needsRegistry(source));
  return {
    file: manifestFile,
    name: target.name,
    template: {
      name,
      ...(repo !== undefined && { repo }),
      ...(commit !== undefined && { commit }),
      ...(path !== undefined && { path }),
    },
    confirmed,
    next: [
      `${env ? `WRIT_REGISTRY=${quote(registry)} ` : ""}writ bootstrap${workspaceFlag(ctx.base, target.root)}`,
    ],
  };
}

async function make(
  ctx: Context,
  { target, template, text, data: given }: Found & { text: string; data: Omit<InitData, "changed"> },
): Promise<InitData> {
  const { root, name } = target;
  const begun = template.builtIn ? await ctx.registered.beginnings(template.builtIn.name) : [];
  const flag = workspaceFlag(ctx.base, root);
  const at = { flag, path: (file: string) => quote(relative(ctx.base, join(root, file))) };
  const data = {
    ...given,
    ...Object.fromEntries(begun.map((one) => [one.part, one.data])),
    next: [...(given.next as string[]), ...begun.flatMap((one) => one.next?.(at) ?? [])],
  } as Omit<InitData, "changed">;
  const there = {
    ...data,
    changed: false,
    reason: "The workspace is there already, made of the same template.",
  } as InitData;
  if ((await findExisting(root, text, flag)) === "same") return enterExisting(ctx, root, there);
  if (ctx.dryRun) return { ...data, changed: true } as InitData;
  const folders = Object.entries(template.builtIn?.folders ?? {});
  const files = Object.entries(template.builtIn?.files ?? {});
  const event: OwedEvent = {
    act: ctx.act,
    capability: "workspace.init",
    actor: ctx.caller.actor,
    ...(ctx.caller.acts_for && { acts_for: ctx.caller.acts_for }),
    at: new Date(ctx.clock.now()).toISOString(),
    fact: {
      subjects: [`file:${manifestFile}`],
      detail: {
        name,
        template: data.template,
        confirmed: data.confirmed,
        manifest_sha256: sha256(text),
        folders: folders.map(([folder]) => folder),
        ...(files.length > 0 && { files: files.map(([file]) => file) }),
      },
    },
  };
  const shipped = folders.map(([folder, from]) => [folder, join(shippedFolder("templates"), from)]);
  const made = {
    name,
    text,
    folders: Object.fromEntries(shipped),
    files: Object.fromEntries(files.map(([file, from]) => [file, join(shippedFolder("templates"), from)])),
    begin: async (folder: string) => {
      for (const one of begun) await one.make(ctx, folder);
    },
    flag,
    event,
    clock: ctx.clock,
    ids: ctx.ids,
  };
  if (!(await createWorkspace(root, made))) return enterExisting(ctx, root, there);
  await ctx.enter(root);
  return ctx.commit(event.fact, async () => ({ ...data, changed: true }) as InitData);
}

/** A workspace that stands already; an act that made it and could not tell the ledger does so now. */
async function enterExisting(ctx: Context, root: string, data: InitData): Promise<InitData> {
  await ctx.enter(root);
  if (!ctx.dryRun) await ctx.settle();
  return data;
}
