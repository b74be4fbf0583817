import type { Context } from "../../contract/index.ts";
import type { Inputs } from "./inputs.ts";
import type { AnswerOptions } from "../declare/lock-answers.ts";
import type { Sources } from "../sources/open-sources.ts";
import type { RunRequest } from "./request.ts";
import type { ResolveOptions } from "../sources/resolve.ts";

/** What every step that asks sources needs. */
export interface Gathering {
  ctx: Context;
  root: string;
  inputs: Inputs;
  request: RunRequest;
  sources: Sources;
  /** The cache may grow, its refs stay: nothing will be changed in the end. */
  keepRefs: boolean;
  /** Whether links can be made in the workspace; one that only observes takes it that they can. */
  allowsLinks(): Promise<boolean>;
}

export function resolveOptionsOf({ ctx, root, sources, keepRefs }: Gathering): ResolveOptions {
  const { cache, base, offline, jobs, asked, fetched } = sources;
  return {
    cache,
    base,
    root,
    offline,
    keepRefs,
    jobs,
    asked,
    fetched,
    warn: (warning) => ctx.warn(warning),
    signal: ctx.signal,
    onFetch: ({ source, done, total }) => ctx.emit({ phase: "fetch", item: source, done, total }),
  };
}

/** How the lock's entries are compared with what is asked. */
export function answerOptionsOf({ sources, inputs }: Gathering): AnswerOptions {
  return { base: sources.base, schema: inputs.lock?.schema ?? "writ/1" };
}

/** True when an update moves this stack: all of them, or those that are named. */
export function movesStack(request: RunRequest, label: string): boolean {
  return request.update && (request.stacks.length === 0 || request.stacks.includes(label));
}
