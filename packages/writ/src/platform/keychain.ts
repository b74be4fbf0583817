import type { AsyncEntry } from "@napi-rs/keyring";

/** The operating system's store of secrets. */
export interface Keychain {
  get(name: string): Promise<string | null>;
  set(name: string, secret: string): Promise<void>;
  remove(name: string): Promise<void>;
}

// What stands under it in the user's keychain.
const SERVICE = "writ";
// On Linux the library would fall back to the kernel's keyring, which forgets everything at a restart.
const pinned = { linux: { store: "secret-service" as const } };
const absent =
  /dbus|d-bus|secret service|platform failure|no storage|not supported|unsupported|no such file/i;

/**
 * Opens the keychain, or answers null where this machine has none (a server, a container).
 *
 * One that is there and refuses (locked, denied) is an error of its own: it throws what the library threw.
 */
export async function openKeychain(): Promise<Keychain | null> {
  const library = await import("@napi-rs/keyring").catch(() => null);
  if (!library) return null;
  const entry = (name: string): AsyncEntry => new library.AsyncEntry(SERVICE, name, pinned);
  try {
    await entry("probe").getPassword();
  } catch (error) {
    if (absent.test(error instanceof Error ? error.message : "")) return null;
    throw error;
  }
  return {
    get: (name) => entry(name).getPassword(),
    set: (name, secret) => entry(name).setPassword(secret),
    async remove(name) {
      await entry(name).deleteCredential();
    },
  };
}
