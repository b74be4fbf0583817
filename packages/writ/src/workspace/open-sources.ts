import { homedir, platform } from "node:os";
import { join } from "node:path";
import { fail, type Settings } from "../contract/index.ts";
import { cacheFolder, createGit, type Git } from "../platform/index.ts";
import { openCache, type Cache } from "./cache.ts";
import { parseBase } from "./sources.ts";
import { parseProtocols } from "./urls.ts";

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
}

export interface OpenSources {
  settings: Settings;
  signal?: AbortSignal;
  /** The command at work, shown to those who wait for it. */
  command: string;
  flags?: SourceFlags;
  onWait?: (source: string) => void;
  /** The cache folder; default what the environment says. */
  folder?: string;
}

// What git, ssh, proxies and credential helpers read; GIT_ variables are narrowed once more for each call.
const passedOn = `
  PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP TZ
  XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS
  SSH_AUTH_SOCK SSH_AGENT_PID GNUPGHOME KRB5CCNAME LD_LIBRARY_PATH DYLD_LIBRARY_PATH
  http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
  SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE GH_TOKEN GITHUB_TOKEN GH_HOST GH_CONFIG_DIR GITLAB_TOKEN
  SystemRoot SystemDrive ComSpec PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA
  ProgramData ProgramFiles ProgramFiles(x86)
  GIT_SSH_COMMAND GIT_SSH GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM
  GIT_SSL_CAINFO GIT_SSL_CAPATH GIT_SSL_CERT GIT_SSL_KEY GIT_SSL_VERSION GIT_SSL_CIPHER_LIST
  GIT_SSL_NO_VERIFY GIT_SSL_CERT_PASSWORD_PROTECTED
  GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE
`
  .trim()
  .split(/\s+/);

/** Opens git and the cache with the settings and flags of one call. */
export function openSources({ settings, signal, command, flags = {}, ...more }: OpenSources): Sources {
  const env = Object.fromEntries(passedOn.map((name) => [name, settings.env(name)]));
  const folder = more.folder ?? folderOf(settings, env);
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
  };
}

function folderOf(settings: Settings, env: Readonly<Record<string, string | undefined>>): string {
  const place = { platform: platform(), home: env.HOME ?? homedir() };
  return cacheFolder({ ...place, env: { ...env, WRIT_CACHE_DIR: settings.env("WRIT_CACHE_DIR") } });
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
