import { WritError } from "../../contract/index.ts";
import type { ResolvedStack } from "../declare/declared.ts";
import { reposOf } from "../declare/declared-repos.ts";
import type { Manifest, StackEntry } from "../declare/model/manifest.ts";
import type { TemplateMeta } from "../declare/model/template-meta.ts";
import type { SourceReader } from "../sources/source-reader.ts";
import { labelsOf, resolveShortcut, type Resolvable } from "../declare/sources.ts";
import { checkAgainstStacks } from "../declare/stack-checks.ts";
import { deriveTemplateMeta } from "../declare/template.ts";

/** What a workspace made of a template would compose and clone, as far as it can be found out. */
export interface Survey {
  meta: Required<TemplateMeta>;
  /** Why it cannot be said what would be cloned; empty when it can. */
  unknown: string[];
  /** Computed, whatever the template says of itself: it would clone, or nobody knows. */
  requiresConfirmation: boolean;
}

export interface SurveyOptions {
  reader: SourceReader;
  /** The shortcuts of the registry the template came from; read when an entry needs them. */
  shortcuts: () => Promise<Readonly<Record<string, string>>>;
  /** Where a local stack of the template can be read now; undefined when nowhere. */
  localPath?: (path: string) => string | undefined;
}

/** Resolves the stacks of a template and works out what they would clone. */
export async function surveyTemplate(manifest: Manifest, options: SurveyOptions): Promise<Survey> {
  const labels = labelsOf(manifest.stacks.map(({ source }) => source));
  const stacks: ResolvedStack[] = [];
  const unknown: string[] = [];
  for (const [at, entry] of manifest.stacks.entries()) {
    const label = labels[at] ?? "";
    try {
      stacks.push(await resolveEntry(manifest, { entry, label }, options));
    } catch (error) {
      if (!(error instanceof WritError) || error.code === "E_CANCELLED") throw error;
      unknown.push(`${label}: ${error.failure.message} (${error.code})`);
    }
  }
  const problems = checkAgainstStacks(manifest, stacks, { base: options.reader.base, contextFiles: [] });
  // With a stack missing, a module or repository it would have declared is no problem of the template.
  if (unknown.length === 0) unknown.push(...problems.map(({ message }) => message));
  const repos = reposOf(manifest, stacks);
  return {
    meta: { ...deriveTemplateMeta(stacks, repos), composes_stacks: labels },
    unknown,
    requiresConfirmation: repos.length > 0 || unknown.length > 0,
  };
}

async function resolveEntry(
  manifest: Manifest,
  { entry, label }: { entry: StackEntry; label: string },
  { reader, shortcuts, localPath }: SurveyOptions,
): Promise<ResolvedStack> {
  const source = await sourceOf(manifest, entry, { reader, shortcuts });
  const local = source.kind === "path" ? localPath?.(source.path) : undefined;
  const read = await reader.stack({
    label,
    source: local === undefined ? source : { kind: "path", path: local },
    want: entry.want,
    ...(entry.source.kind === "shortcut" && source.kind === "repo" && { shortcutOrg: source.org }),
  });
  return { entry, label, source, manifest: read };
}

/** A template that names a registry of its own has its shortcuts from there. */
async function sourceOf(
  manifest: Manifest,
  entry: StackEntry,
  { reader, shortcuts }: Pick<SurveyOptions, "reader" | "shortcuts">,
): Promise<Resolvable> {
  if (entry.source.kind !== "shortcut") return entry.source;
  const own = manifest.registry;
  if (!own || own.source.kind === "shortcut") return resolveShortcut(entry.source, await shortcuts());
  const registry = await reader.registry(own.source, own.want);
  return resolveShortcut(entry.source, registry.manifest.shortcuts);
}
