import type { Context } from "../../contract/index.ts";
import { registrySource } from "../gather/gather-registry.ts";
import { readInputs } from "../gather/inputs.ts";
import { inputSettings } from "../gather/read-declared.ts";
import { namedRegistry } from "../sources/named-registry.ts";
import { openSources, type SourceFlags, type Sources } from "../sources/open-sources.ts";
import { plainRequest } from "../gather/request.ts";
import { createSourceReader } from "../sources/source-reader.ts";
import { parseSource, repoText, type Resolvable, urlOf, type Want } from "../declare/sources.ts";

/** The shortcuts of the registry as it is now, sorted; in a workspace its own registry is asked. */
export async function listShortcuts(
  ctx: Context,
  { registry: named, flags }: { registry?: string; flags: SourceFlags },
): Promise<{ registry: string; shortcuts: { shortcut: string; target: string; lazy?: true }[] }> {
  const sources = openSources({
    settings: ctx.settings,
    folder: ctx.folders.cache,
    signal: ctx.signal,
    command: "writ shortcuts",
    flags,
  });
  const { source, want } = await sourceOf(ctx, sources, named);
  const reader = createSourceReader(ctx, sources, ctx.workspace?.root ?? ctx.base);
  const { manifest } = await reader.registry(source, want);
  const shortcuts = await Promise.all(
    Object.entries(manifest.shortcuts).map(async ([shortcut, target]) => {
      const repo = parseSource(target, { allowFile: true, protocols: sources.protocols }).value;
      const url = repo && repo.kind !== "shortcut" ? urlOf(repo, sources.base) : undefined;
      const lazy = url !== undefined && (await sources.cache.wasMissing(url));
      return { shortcut, target, ...(lazy && { lazy }) };
    }),
  );
  return {
    registry: repoText(source),
    shortcuts: shortcuts.toSorted((a, b) => (a.shortcut < b.shortcut ? -1 : 1)),
  };
}

async function sourceOf(
  ctx: Context,
  sources: Sources,
  named: string | undefined,
): Promise<{ source: Resolvable; want: Want }> {
  const { workspace } = ctx;
  if (named !== undefined || !workspace)
    return { source: namedRegistry(ctx, sources, named), want: "default" };
  const inputs = await readInputs(workspace.root, inputSettings(sources, ctx.registered));
  return registrySource({
    ctx,
    root: workspace.root,
    inputs,
    request: plainRequest(),
    sources,
    keepRefs: false,
    allowsLinks: async () => true,
  });
}
