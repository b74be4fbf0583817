import { join } from "node:path";
import { fail } from "../contract/index.ts";
import { openKeychain, type Keychain } from "./keychain.ts";
import { changeKeyFile, readKeyFile, type StoredKey } from "./key-file.ts";
import type { Environment } from "./settings.ts";

/** Where a key comes from. */
export type KeySource = "environment" | "keychain" | "file";

/** The user's secrets by name. No method but `get` ever gives a value away. */
export interface Keys {
  /** The environment wins over what was stored. */
  get(name: string): Promise<{ value: string; source: KeySource } | null>;
  /** Stores a key; `source` says where, and "file" means that this machine has no keychain. */
  set(name: string, secret: string): Promise<{ source: "keychain" | "file"; changed: boolean }>;
  /** Names and sources, in order of the names. */
  list(): Promise<{ name: string; source: KeySource }[]>;
  /** False when nothing was stored under that name. */
  remove(name: string): Promise<boolean>;
}

/** What the keys are kept in. */
export interface KeysOptions {
  env: Environment;
  stateFolder: string;
  /** Default: the operating system's, opened when first needed; null for none. */
  keychain?: Keychain | null;
  /** Names that `list` shows when the environment has them, although they were never stored. */
  known?: readonly string[];
}

/**
 * Opens the keys of this installation.
 *
 * Secrets lie in the keychain; without one, in a file only the user can read. That file also holds the names of
 * those in the keychain, so that `list` need not unlock it. A keychain that refuses is E_KEYCHAIN.
 */
export function openKeys(options: KeysOptions): Keys {
  const { env, stateFolder, known = [] } = options;
  const path = join(stateFolder, "keys.json");
  let opened: Promise<Keychain | null> | undefined;
  const keychain = () =>
    (opened ??= options.keychain === undefined ? refusing(openKeychain) : Promise.resolve(options.keychain));
  const fromEnvironment = (name: string) => env[name] || undefined;

  const storedValue = async (name: string, stored: StoredKey | undefined): Promise<string | null> => {
    if (stored?.source !== "keychain") return stored?.value ?? null;
    const chain = await keychain();
    return chain && refusing(() => chain.get(name));
  };

  return {
    async get(name) {
      requireName(name);
      const given = fromEnvironment(name);
      if (given !== undefined) return { value: given, source: "environment" };
      const stored = (await readKeyFile(path)).get(name);
      const value = await storedValue(name, stored);
      return stored && value !== null ? { value, source: stored.source } : null;
    },
    async set(name, secret) {
      requireName(name);
      const chain = await keychain();
      const source = chain ? "keychain" : "file";
      return changeKeyFile<Awaited<ReturnType<Keys["set"]>>>(path, async (index) => {
        const old = index.get(name);
        if (old?.source === source && (await storedValue(name, old)) === secret)
          return { result: { source, changed: false } };
        if (chain) await refusing(() => chain.set(name, secret));
        index.set(name, chain ? { source: "keychain" } : { source: "file", value: secret });
        return { index, result: { source, changed: true } };
      });
    },
    async list() {
      const index = await readKeyFile(path);
      const names = new Set([
        ...index.keys(),
        ...known.filter((name) => fromEnvironment(name) !== undefined),
      ]);
      return [...names].sort().map((name) => ({
        name,
        source: fromEnvironment(name) === undefined ? (index.get(name)?.source ?? "file") : "environment",
      }));
    },
    async remove(name) {
      requireName(name);
      return changeKeyFile(path, async (index) => {
        const old = index.get(name);
        if (!old) return { result: false };
        const chain = old.source === "keychain" ? await keychain() : null;
        if (chain) await refusing(() => chain.remove(name));
        index.delete(name);
        return { index, result: true };
      });
    },
  };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fail("E_KEYCHAIN", {
      message: "The operating system's keychain refused.",
      cause: "It is locked, or it denied the access.",
      remediation:
        "Unlock it and run the command again, or set the key as an environment variable for this call.",
      from: error,
    });
  }
}

function requireName(name: string): void {
  if (/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) return;
  throw fail("E_INVALID_NAME", {
    message: `${JSON.stringify(name.slice(0, 80))} cannot be the name of a key.`,
    cause:
      "A key is named like the environment variable that would hold it: capitals, digits and _, at most 64.",
    remediation: "Name it so: writ key set OPENALEX_API_KEY",
  });
}
