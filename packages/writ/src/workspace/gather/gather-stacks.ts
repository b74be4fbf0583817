import { fail, nearest, WritError } from "../../contract/index.ts";
import type { Layer } from "../compose/assets.ts";
import type { ResolvedStack } from "../declare/declared.ts";
import type { Registry } from "./gather-registry.ts";
import { answerOptionsOf, movesStack, resolveOptionsOf, type Gathering } from "./gathering.ts";
import { contentHash } from "../compose/layers.ts";
import { answers } from "../declare/lock-answers.ts";
import { requireFrozen } from "./lock-plan.ts";
import type { LockStack } from "../declare/model/lock.ts";
import { inParallel } from "../sources/pool.ts";
import { resolveSources, type Answer, type Asked } from "../sources/resolve.ts";
import { labelsOf, repoText, resolveShortcut, type Resolvable } from "../declare/sources.ts";
import { layerOf, openStack, readFiles, type OpenedStack, type StackFiles } from "./stack-layer.ts";
import { parseStackManifest } from "../declare/stack-manifest.ts";

// What the stacks of a workspace hold, mostly; far below what a run may use.
const heldBytes = 48 * 1024 * 1024;

/** One stack with everything a run needs of it. */
export interface GatheredStack extends ResolvedStack {
  answer: Answer;
  opened: OpenedStack;
  files: StackFiles;
  /** The lock's entry before this run. */
  locked?: LockStack;
}

/** Resolves and opens every stack, and reads its manifest; all failures are reported together. */
export async function gatherStacks(
  gathering: Gathering,
  registry: Registry | undefined,
): Promise<GatheredStack[]> {
  const { inputs, request, sources } = gathering;
  const { stacks: entries } = inputs.manifest;
  const labels = labelsOf(entries.map((entry) => entry.source));
  requireKnownStacks(request.stacks, labels);
  const shortcuts = registry?.manifest.shortcuts ?? {};
  const named = entries.map((entry, at) => {
    const source = resolveShortcut(entry.source, shortcuts);
    const asked = { source, want: entry.want };
    const locked = inputs.lock?.stacks.find((pinned) => answers(pinned, asked, answerOptionsOf(gathering)));
    return { entry, label: labels[at] ?? "", source, ...(locked && { locked }) };
  });
  requireFrozen(gathering, { registry, stacks: named });
  const asked = named.map(
    ({ entry, label, source, locked }): Asked => ({
      label,
      kind: "stack",
      source,
      want: entry.want,
      ...(entry.source.kind === "shortcut" && source.kind === "repo" && { shortcutOrg: source.org }),
      ...(locked && { locked }),
      update: movesStack(request, label),
    }),
  );
  const answered = await resolveSources(asked, resolveOptionsOf(gathering));
  const room = { bytes: heldBytes };
  const gathered = await inParallel(
    named,
    sources.jobs,
    async (stack, at): Promise<GatheredStack | WritError> => {
      const answer = answered[at];
      if (!answer) throw new TypeError("a stack without an answer");
      return openGathered(gathering, { ...stack, answer }, room);
    },
  );
  const broken = gathered.find((stack) => stack instanceof WritError);
  if (broken) throw broken;
  return gathered.filter((stack): stack is GatheredStack => !(stack instanceof WritError));
}

async function openGathered(
  { ctx, sources }: Gathering,
  stack: Omit<GatheredStack, "opened" | "manifest" | "files">,
  room: { bytes: number },
): Promise<GatheredStack | WritError> {
  const { label, answer } = stack;
  try {
    const opened = await openStack(sources.git, { label, answer });
    const files = await readFiles(opened, room);
    const origin = { stack: label, ...(answer.commit !== undefined && { commit: answer.commit }) };
    const { manifest, warnings } = parseStackManifest(files.manifest, origin);
    for (const warning of warnings) ctx.warn(warning);
    return { ...stack, opened, files, manifest };
  } catch (error) {
    if (error instanceof WritError) return error;
    throw error;
  }
}

function requireKnownStacks(asked: readonly string[], known: readonly string[]): void {
  const unknown = asked.find((label) => !known.includes(label));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  throw fail("E_UNKNOWN_STACK", {
    message: `This workspace has no stack "${unknown}".`,
    cause: `Its stacks are ${known.join(", ") || "none"}.`,
    remediation:
      near === undefined ? "See them: writ status" : `Use --stack ${near}, or see them: writ status`,
    details: { stack: unknown, known, ...(near !== undefined && { nearest: near }) },
  });
}

/** A layer, and the hash by which the lock holds its content. */
export interface ReadStack {
  stack: GatheredStack;
  layer: Layer;
  content: string;
}

/** Makes the layer of every stack and holds it against the lock. */
export function layStacks(stacks: readonly GatheredStack[]): ReadStack[] {
  return stacks.map((stack) => {
    const { source, manifest, opened, files, label } = stack;
    const { product } = manifest;
    const names = {
      repo: repoText(source),
      ...(product !== undefined && { product }),
      ...namesOf(source, label),
    };
    const layer = layerOf(opened, files, names);
    const content = contentHash(layer);
    requireContent(stack, content);
    return { stack, layer, content };
  });
}

function namesOf(source: Resolvable, label: string): { repoName: string; orgName: string } {
  if (source.kind === "repo") return { repoName: source.repo, orgName: source.org };
  const [repoName = label, orgName = "local"] = repoText(source)
    .replace(/^path:/, "")
    .replace(/\.git$/, "")
    .split(/[/:]/)
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .reverse();
  return { repoName, orgName };
}

function requireContent({ label, source, answer, locked }: GatheredStack, content: string): void {
  const isPinned =
    locked?.content !== undefined && locked.commit !== undefined && locked.commit === answer.commit;
  if (!isPinned || locked.content === content) return;
  throw fail("E_INTEGRITY", {
    message: `The content of ${label} is not what the lock says; nothing was changed.`,
    cause: `At the commit ${locked.commit} it was ${locked.content} and is ${content}.`,
    remediation: `The cache may be damaged. Remove that repository from it, then run again: writ cache prune --repo ${repoText(source)}`,
    details: { stack: label, commit: locked.commit, locked: locked.content, found: content },
  });
}
