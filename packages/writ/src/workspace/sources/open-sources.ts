import { join } from "node:path";
import { fail, type Settings } from "../../contract/index.ts";
import { createGit, type Git } from "../../platform/index.ts";
import { openCache, type Cache } from "./cache.ts";
import type { RemoteRefs } from "./remote-refs.ts";
import { parseBase } from "../declare/sources.ts";
import { parseProtocols } from "../declare/urls.ts";

/** What a command that uses sources was told about them. */
export interface SourceFlags {
  offline?: boolean;
  jobs?: number;
  /** Seconds a network call of git may take. */
  timeout?: number;
}

/** Everything needed to reach sources, made once a call. */
export interface Sources {
  git: Git;
  cache: Cache;
  base: string;
  protocols: readonly string[];
  offline: boolean;
  jobs: number;
  /** What remotes said in this call. */
  asked: Map<string, RemoteRefs>;
  /** Labels of what remotes have given in this call. */
  fetched: Set<string>;
}

export interface OpenSources {
  settings: Settings;
  signal?: AbortSignal;
  /** The command at work, shown to those who wait for it. */
  command: string;
  flags?: SourceFlags;
  onWait?: (source: string) => void;
  /** The cache folder. */
  folder: string;
}

/** Opens git and the cache with the settings and flags of one call. */
export function openSources({ settings, signal, command, flags = {}, ...more }: OpenSources): Sources {
  const { folder } = more;
  const env = settings.environment();
  const protocols = parseProtocols(settings.env("WRIT_GIT_PROTOCOLS"));
  const timeoutMs =
    1000 * (flags.timeout ?? numberOf(settings, { name: "WRIT_GIT_TIMEOUT", usual: 300, most: 86_400 }));
  const git = createGit({
    env,
    protocols,
    hooksDir: join(folder, "no-hooks"),
    networkTimeoutMs: timeoutMs,
    signal,
  });
  return {
    git,
    cache: openCache({ folder, git, lockWaitMs: timeoutMs, command, signal, onWait: more.onWait }),
    base: baseOf(settings, protocols),
    protocols,
    offline: flags.offline === true || settings.isOn("WRIT_OFFLINE"),
    jobs: flags.jobs ?? numberOf(settings, { name: "WRIT_JOBS", usual: 8, most: 32 }),
    asked: new Map(),
    fetched: new Set(),
  };
}

function baseOf(settings: Settings, protocols: readonly string[]): string {
  const base = parseBase(settings.env("WRIT_GIT_BASE"), { protocols, allowFile: true });
  if (!base.fault) return base.value;
  throw fail("E_UNSAFE_URL", {
    message: `WRIT_GIT_BASE was refused: ${base.fault.message}.`,
    cause: "It is what org/repo is looked up under, and is held to the rules of any source.",
    remediation: "Set it to a URL such as https://github.com, or unset it.",
    details: { ...base.fault.facts, variable: "WRIT_GIT_BASE" },
  });
}

function numberOf(
  settings: Settings,
  { name, usual, most }: { name: string; usual: number; most: number },
): number {
  const text = settings.env(name);
  if (text === undefined) return usual;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw fail("E_INVALID_VALUE", {
    message: `${name} is ${JSON.stringify(text)}.`,
    cause: `It is a whole number from 1 to ${most}.`,
    remediation: `Set it to such a number, or unset it: ${name}=${usual}`,
    details: { variable: name, limit: most },
  });
}
