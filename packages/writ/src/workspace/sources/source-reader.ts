import type { Context, Warning } from "../../contract/index.ts";
import { askNewest } from "./ask-newest.ts";
import { readFileAt } from "./cache-read.ts";
import type { Registry } from "../gather/gather-registry.ts";
import type { StackManifest } from "../declare/model/stack-manifest.ts";
import type { Sources } from "./open-sources.ts";
import type { Answer, Asked, ResolveOptions } from "./resolve.ts";
import { identityOf, labelOf, type Resolvable, type Want } from "../declare/sources.ts";
import { stackFile } from "../declare/file-names.ts";
import { openStack, readStackFile } from "../gather/stack-layer.ts";
import { parseStackManifest } from "../declare/stack-manifest.ts";

/** Reads registries, stacks and templates as they are now, each source once a call. */
export interface SourceReader {
  registry(source: Resolvable, want?: Want): Promise<Registry>;
  stack(asked: Pick<Asked, "label" | "source" | "want" | "shortcutOrg">): Promise<StackManifest>;
  /** One file of a repository at its default branch, or of an answer that is already known; null when absent. */
  file(source: Resolvable, path: string, known?: Answer): Promise<{ bytes: Buffer; commit: string } | null>;
  base: string;
}

const inTemplate = "Correct it where the template names it";

// As large as Writ reads any YAML file.
const maxTemplateBytes = 1024 * 1024;

/** Opens a reader over the sources of one call; `root` is what local stacks are relative to. */
export function createSourceReader(ctx: Context, sources: Sources, root: string): SourceReader {
  const options: ResolveOptions = {
    cache: sources.cache,
    base: sources.base,
    root,
    offline: sources.offline,
    keepRefs: ctx.dryRun,
    jobs: sources.jobs,
    warn: (warning: Warning) => ctx.warn(warning),
    signal: ctx.signal,
  };
  const answers = new Map<string, Promise<Answer>>();
  const ask = (asked: Asked): Promise<Answer> => {
    const key = `${identityOf(asked.source, sources.base)} ${asked.want}`;
    const answer = answers.get(key) ?? askNewest(asked, options);
    answers.set(key, answer);
    return answer;
  };
  const read = async (asked: Asked): Promise<{ answer: Answer; manifest: StackManifest }> => {
    const answer = await ask(asked);
    const stack = await openStack(sources.git, { label: asked.label, answer });
    const origin = {
      stack: asked.label,
      ...(answer.commit !== undefined && { commit: answer.commit }),
      ...(asked.kind === "registry" && { registry: true }),
    };
    const { manifest, warnings } = parseStackManifest(await readStackFile(stack, stackFile), origin);
    for (const warning of warnings) ctx.warn(warning);
    return { answer, manifest };
  };
  return {
    base: sources.base,
    registry: async (source, want = "default") => {
      const correct = "Name the registry you mean with --registry or WRIT_REGISTRY";
      const found = await read({ label: labelOf(source), kind: "registry", source, want, correct });
      return { source, want, ...found };
    },
    stack: async (asked) => (await read({ ...asked, kind: "stack", correct: inTemplate })).manifest,
    file: async (source, path, known) => {
      const asked: Asked = {
        label: labelOf(source),
        kind: "stack",
        source,
        want: "default",
        correct: inTemplate,
      };
      const { gitDir, commit } = known ?? (await ask(asked));
      if (gitDir === undefined || commit === undefined) return null;
      const bytes = await readFileAt(sources.git, { gitDir, commit, path, maxBytes: maxTemplateBytes });
      return bytes && { bytes, commit };
    },
  };
}
