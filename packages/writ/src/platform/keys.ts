import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../contract/index.ts";
import { openKeychain, type Keychain } from "./keychain.ts";
import { withLock } from "./lock.ts";
import { readOrNull } from "./read-file.ts";
import type { Environment } from "./settings.ts";
import { storing } from "./store-error.ts";
import { makeFolder, writeAtomic } from "./write-atomic.ts";

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

type Stored = { source: "keychain" } | { source: "file"; value: string };
type Index = Map<string, Stored>;

const MAX_BYTES = 1024 * 1024;

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

  async function storedValue(name: string, stored: Stored | undefined): Promise<string | null> {
    if (!stored) return null;
    if (stored.source === "file") return stored.value;
    const chain = await keychain();
    return chain ? refusing(() => chain.get(name)) : null;
  }

  return {
    async get(name) {
      requireName(name);
      const given = fromEnvironment(name);
      if (given !== undefined) return { value: given, source: "environment" };
      const stored = (await readIndex(path)).get(name);
      const value = await storedValue(name, stored);
      return stored && value !== null ? { value, source: stored.source } : null;
    },
    async set(name, secret) {
      requireName(name);
      const chain = await keychain();
      const source = chain ? "keychain" : "file";
      return change<Awaited<ReturnType<Keys["set"]>>>(path, async (index) => {
        const old = index.get(name);
        if (old?.source === source && (await storedValue(name, old)) === secret)
          return { result: { source, changed: false } };
        if (chain) await refusing(() => chain.set(name, secret));
        index.set(name, chain ? { source: "keychain" } : { source: "file", value: secret });
        return { index, result: { source, changed: true } };
      });
    },
    async list() {
      const index = await readIndex(path);
      const names = new Set([
        ...index.keys(),
        ...known.filter((name) => fromEnvironment(name) !== undefined),
      ]);
      return [...names].sort().map((name) => ({
        name,
        source: fromEnvironment(name) === undefined ? (index.get(name)?.source ?? "file") : "environment",
      }));
    },
    remove(name) {
      requireName(name);
      return change(path, async (index) => {
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

type Changed<T> = { index?: Index; result: T };

async function change<T>(path: string, work: (index: Index) => Promise<Changed<T>>): Promise<T> {
  return storing("keys.json", async () => {
    await makeFolder(join(path, ".."), 0o700);
    return withLock(
      `${path}.lock`,
      { waitMs: 10_000, what: "the stored keys", command: "writ key" },
      async () => {
        const { index, result } = await work(await readIndex(path));
        if (index) await writeIndex(path, index);
        return result;
      },
    );
  });
}

async function readIndex(path: string): Promise<Index> {
  const bytes = await storing("keys.json", () => readOrNull(path, MAX_BYTES));
  if (!bytes) return new Map();
  try {
    const file = JSON.parse(bytes.toString("utf8")) as { keys: Record<string, Stored> };
    return new Map(Object.entries(file.keys));
  } catch (error) {
    throw fail("STORE_ERROR", {
      message: "The file of stored keys is damaged.",
      cause: '"keys.json" in the state folder is not what Writ wrote.',
      remediation: "Move that file away, then store your keys again: writ key set NAME",
      from: error,
    });
  }
}

async function writeIndex(path: string, index: Index): Promise<void> {
  const keys = Object.fromEntries([...index].sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeAtomic(path, `${JSON.stringify({ schema: "writ-keys/1", keys }, null, 2)}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
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
