import type { Context } from "../contract/index.ts";
import { type Keys, openKeys } from "../platform/index.ts";

// Names of keys that Writ's parts look for; others are listed when they were stored.
const known = [
  "OPENALEX_API_KEY",
  "SEMANTIC_SCHOLAR_API_KEY",
  "CROSSREF_PLUS_TOKEN",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "GITHUB_TOKEN",
  "GITLAB_TOKEN",
];

/** The secrets of this machine's user. */
export function openUserKeys(ctx: Pick<Context, "settings" | "folders">): Keys {
  const env = Object.fromEntries(known.map((name) => [name, ctx.settings.env(name)]));
  return openKeys({ env, stateFolder: ctx.folders.state, known });
}
