import { type Context, type Warning, WritError } from "../../contract/index.ts";
import { readInputs, type Inputs } from "../gather/inputs.ts";
import { anew } from "../gather/read-declared.ts";
import { openSources, type Sources } from "../sources/open-sources.ts";
import type { Changeset } from "../changeset/changeset.ts";
import { plainRequest } from "../gather/request.ts";
import { rootOf } from "./pending.ts";

/** What an observer knows of a workspace: what was read, and what the next run would do, where that can be worked out. */
export interface Observed {
  root: string;
  inputs: Inputs;
  sources: Sources;
  changeset?: Changeset;
  /** Why there is no changeset: a commit that is not in the cache, damaged markers, a link in the way. */
  failure?: WritError;
  /** What a run would warn of. */
  warnings: Warning[];
}

export interface ObserveOptions {
  /** The command at work, shown to those who wait for it. */
  command: string;
}

// What a changeset tells besides is told by the answer itself; only the state of the workspace concerns every reader.
const passedOn = new Set(["W_PENDING_SWAP"]);

/** Reads the declaration, the lock and the last composition, and plans the next run from lock and cache alone. */
export async function observeChangeset(ctx: Context, { command }: ObserveOptions): Promise<Observed> {
  const { changesetOnly } = await import("./run.ts");
  const root = rootOf(ctx);
  const sources = openOffline(ctx, command);
  const inputs = await readInputs(root, anew(sources, ctx.registered));
  const request = plainRequest({ command, repos: false, flags: { offline: true } });
  const warnings: Warning[] = [];
  const quiet: Context = {
    ...ctx,
    emit: () => {},
    warn(warning) {
      warnings.push(warning);
      if (passedOn.has(warning.code)) ctx.warn(warning);
    },
  };
  try {
    return { root, inputs, sources, warnings, changeset: await changesetOnly(quiet, request) };
  } catch (failure) {
    if (failure instanceof WritError) return { root, inputs, sources, warnings, failure };
    throw failure;
  }
}

/** Git and cache, without a word to any remote. */
export function openOffline(
  { settings, folders, signal }: Pick<Context, "settings" | "folders" | "signal">,
  command: string,
): Sources {
  return openSources({ settings, folder: folders.cache, signal, command, flags: { offline: true } });
}
