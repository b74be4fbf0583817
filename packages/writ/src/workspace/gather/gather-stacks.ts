import { fail, nearest } from "../../contract/index.ts";
import type { Layer } from "../compose/assets.ts";
import type { ResolvedStack } from "../declare/declared.ts";
import type { Registry } from "./gather-registry.ts";
import { answerOptionsOf, movesStack, resolveOptionsOf, type Gathering } from "./gathering.ts";
import { contentHash } from "../compose/layers.ts";
import { answerIn } from "../declare/lock-answers.ts";
import { requireFrozen } from "./lock-plan.ts";
import type { LockStack } from "../declare/model/lock.ts";
import { openKept, openUnread, readRest, type ReadOptions, type StackRead } from "./kept-stack.ts";
import { resolveSources, type Answer, type Asked } from "../sources/resolve.ts";
import { labelsOf, repoText, resolveShortcut, type Resolvable } from "../declare/sources.ts";
import { layerOf, type OpenedStack, type StackFiles } from "./stack-layer.ts";
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
  const { ctx, inputs, request, sources } = gathering;
  const { stacks: entries } = inputs.manifest;
  const labels = labelsOf(entries.map((entry) => entry.source));
  requireKnownStacks(request.stacks, labels);
  const shortcuts = registry?.manifest.shortcuts ?? {};
  const lockedFor = answerIn(inputs.lock?.stacks ?? [], answerOptionsOf(gathering));
  const named = entries.map((entry, at) => {
    const source = resolveShortcut(entry.source, shortcuts);
    const locked = lockedFor({ source, want: entry.want });
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
  const { version } = ctx.registered;
  const kept = new Map<Asked, StackRead | undefined>();
  const answered = await resolveSources(asked, {
    ...resolveOptionsOf(gathering),
    // What was read before is opened while others are still fetched.
    onAnswer: async (ask, answer) =>
      void kept.set(ask, await openKept(sources, { label: ask.label, answer, version })),
  });
  const reads = await openRest(
    sources,
    asked.map(({ label }, at) => ({ label, answer: answered[at] as Answer, version })),
    asked.map((ask) => kept.get(ask)),
  );
  const files = await readRest(sources, reads, { bytes: heldBytes });
  return named.map((stack, at) => {
    const [answer, read, own] = [answered[at], reads[at], files[at]];
    if (!answer || !read || !own) throw new TypeError("a stack without files");
    const origin = { stack: stack.label, ...(answer.commit !== undefined && { commit: answer.commit }) };
    const { manifest, warnings } = parseStackManifest(own.manifest, origin);
    for (const warning of warnings) ctx.warn(warning);
    return { ...stack, answer, opened: read.opened, files: own, manifest };
  });
}

/** The stacks that were read before, and all others opened together, in their order. */
async function openRest(
  sources: Gathering["sources"],
  stacks: readonly ReadOptions[],
  kept: readonly (StackRead | undefined)[],
): Promise<StackRead[]> {
  const rest = await openUnread(
    sources,
    stacks.filter((_, at) => !kept[at]),
  );
  return kept.map((known) => known ?? (rest.shift() as StackRead));
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
