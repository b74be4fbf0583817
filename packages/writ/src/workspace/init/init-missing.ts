import { fail, type Context } from "../../contract/index.ts";
import { namedRegistry } from "../sources/named-registry.ts";
import { NAME_MAX, namePattern } from "../declare/model/text.ts";
import { openSources } from "../sources/open-sources.ts";
import { createSourceReader } from "../sources/source-reader.ts";
import { defaultTemplate, templateNames } from "./find-template.ts";

/** Templates that are known without asking anybody: the default, the built-in ones and those the cache has seen. */
export async function knownTemplates(ctx: Context, registry: string | undefined): Promise<string[]> {
  return [...new Set([defaultTemplate, ...(await seenTemplates(ctx, registry))])].toSorted();
}

async function seenTemplates(ctx: Context, registry: string | undefined): Promise<string[]> {
  try {
    const flags = { offline: true };
    const sources = openSources({
      settings: ctx.settings,
      folder: ctx.folders.cache,
      signal: ctx.signal,
      command: "writ init",
      flags,
    });
    const quiet = { ...ctx, warn: () => {} };
    const reader = createSourceReader(quiet, sources, ctx.base);
    return templateNames(await reader.registry(namedRegistry(ctx, sources, registry)));
  } catch {
    // A list that helps; a registry that is unknown or broken is told by the call that uses it.
    return templateNames(undefined);
  }
}

/** The error of a call without a name: what a name is, and which templates there are. */
export async function nameMissing(ctx: Context, registry: string | undefined) {
  const templates = await knownTemplates(ctx, registry);
  return fail("E_MISSING_INPUT", {
    message: "init needs a name for the workspace.",
    cause: "Nothing was given for NAME.",
    remediation: `Give it, and with --template another template than ${defaultTemplate}: writ init my-workspace`,
    details: {
      missing: [
        {
          name: "name",
          description:
            "The workspace's name: lower-case letters, digits and single hyphens, beginning with a letter; . takes the folder's own.",
          pattern: namePattern.source,
          max_length: NAME_MAX,
        },
        {
          name: "template",
          description:
            "What to begin with. Left out: the registry's blank, or writ/blank where no registry can be reached.",
          optional: true,
          default: defaultTemplate,
          options: templates,
        },
      ],
    },
  });
}
