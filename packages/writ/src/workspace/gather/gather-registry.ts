import { answerOptionsOf, resolveOptionsOf, type Gathering } from "./gathering.ts";
import { openRead, readRest } from "./kept-stack.ts";
import { answers } from "../declare/lock-answers.ts";
import type { StackManifest } from "../declare/model/stack-manifest.ts";
import { namedRegistry, registryOfEnvironment } from "../sources/named-registry.ts";
import { resolveSources, type Answer } from "../sources/resolve.ts";
import {
  identityOf,
  labelOf,
  needsRegistry,
  parseRepoText,
  repoText,
  type Resolvable,
  type Source,
  type Want,
} from "../declare/sources.ts";
import { parseStackManifest } from "../declare/stack-manifest.ts";

export interface Registry {
  source: Resolvable;
  want: Want;
  answer: Answer;
  manifest: StackManifest;
  /** The commit the lock had before. */
  previous?: string;
}

/** Reads the registry when an entry may be a shortcut, or when one is declared; else nobody is asked. */
export async function gatherRegistry(gathering: Gathering): Promise<Registry | undefined> {
  const { ctx, inputs, request, sources } = gathering;
  const { manifest, lock } = inputs;
  if (!manifest.registry && !manifest.stacks.some((entry) => needsRegistry(entry.source))) return undefined;
  const { source, want } = registrySource(gathering);
  const label = labelOf(source);
  const pinned = lock?.registry;
  const locked = pinned && answers(pinned, { source, want }, answerOptionsOf(gathering)) ? pinned : undefined;
  // An update limited to stacks leaves the registry where it is: it could move what other shortcuts mean.
  const update = request.update && request.stacks.length === 0;
  // Where workspace.yml does not name it, the environment or the lock does, or nobody.
  const correct = manifest.registry
    ? undefined
    : "Name the registry you mean in workspace.yml or WRIT_REGISTRY";
  const asked = {
    label,
    kind: "registry" as const,
    source,
    want,
    ...(correct !== undefined && { correct }),
    ...(locked && { locked }),
    update,
  };
  const [answer] = await resolveSources([asked], resolveOptionsOf(gathering));
  if (!answer) throw new TypeError("a registry without an answer");
  // As a whole: mostly it is a stack as well, and then it has been read.
  const { version } = ctx.registered;
  const stack = await openRead(sources, { label, answer, version });
  const [files] = await readRest(sources, [stack], { bytes: 0 });
  const origin = {
    stack: label,
    ...(answer.commit !== undefined && { commit: answer.commit }),
    registry: true,
  };
  const read = parseStackManifest(files?.manifest, origin);
  for (const warning of read.warnings) ctx.warn(warning);
  return { source, want, answer, manifest: read.manifest, ...(locked && { previous: locked.commit }) };
}

/** Which registry: workspace.yml's, else the lock's, else the environment's, else the built-in one. */
export function registrySource(gathering: Gathering): { source: Resolvable; want: Want } {
  const { ctx, inputs, request, sources } = gathering;
  const { manifest, lock } = inputs;
  if (manifest.registry) return { source: known(manifest.registry.source), want: manifest.registry.want };
  const fromEnv = registryOfEnvironment(ctx, sources);
  const locked = lock?.registry && parseRepoText(lock.registry.repo).value;
  if (!locked || !lock.registry) return { source: namedRegistry(ctx, sources, undefined), want: "default" };
  const differs = fromEnv && identityOf(fromEnv, sources.base) !== identityOf(locked, sources.base);
  if (differs && request.update) return { source: fromEnv, want: "default" };
  if (differs) {
    ctx.warn({
      code: "W_REGISTRY_FROM_LOCK",
      message: `WRIT_REGISTRY names ${repoText(fromEnv)}; the lock's registry ${repoText(locked)} was used.`,
      remediation: "Move to it with: writ bootstrap --update",
    });
  }
  return { source: locked, want: lock.registry.want };
}

/** A manifest whose registry is a shortcut has a problem, and is never gathered. */
function known(source: Source): Resolvable {
  if (source.kind !== "shortcut") return source;
  throw new TypeError("a registry that is a shortcut was not refused");
}
