import { sourceOf } from "../../packages/writ/src/research/sources/registry.ts";
import { openAccess } from "../../packages/writ/src/research/sources/access.ts";
import { openPageStore } from "../../packages/writ/src/research/sources/page-store.ts";
import { createPhases } from "../../packages/writ/src/research/sources/progress.ts";
import { SourceSession, type SessionOptions } from "../../packages/writ/src/research/sources/session.ts";
import type { SourceId } from "../../packages/writ/src/research/model.ts";
import { testContext, type TestContext } from "../support/context.ts";

const variables = {
  openalex: "WRIT_OPENALEX_URL",
  crossref: "WRIT_CROSSREF_URL",
  semanticscholar: "WRIT_SEMANTICSCHOLAR_URL",
} as const;

export interface Asking {
  source?: SourceId;
  url: string;
  root: string;
  env?: Record<string, string>;
  email?: string;
  maxWait?: number;
  now?: number;
  signal?: AbortSignal;
  session?: Partial<SessionOptions>;
}

/** A session with a source that is somewhere on this machine; its pages lie under `root`. */
export async function openAsking(asking: Asking): Promise<{ session: SourceSession; ctx: TestContext }> {
  const { source = "openalex", url, root, env, email, maxWait = 60, now, signal } = asking;
  const ctx = testContext({
    root,
    env: { WRIT_RESEARCH_BACKOFF_MS: "0", [variables[source]]: url, ...env },
    ...(now !== undefined && { now }),
    ...(signal && { signal }),
  });
  const access = await openAccess(ctx, sourceOf(source), { email, maxWait });
  const session = new SourceSession(ctx, {
    access,
    store: openPageStore(`${root}/pages`),
    asOf: new Date(ctx.clock.now()),
    offline: false,
    refresh: false,
    resume: "writ research seed --equation alpha",
    phases: createPhases(ctx),
    ...asking.session,
  });
  return { session, ctx };
}
