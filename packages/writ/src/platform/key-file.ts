import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { fail } from "../contract/index.ts";
import { withLock } from "./lock.ts";
import { readOrNull } from "./read-file.ts";
import { storing } from "./store-error.ts";
import { makeFolder } from "./make-folder.ts";
import { writeAtomic } from "./write-atomic.ts";

/** A stored key: its name only, when the keychain has the value. */
export type StoredKey = { source: "keychain" } | { source: "file"; value: string };
type KeyFile = Map<string, StoredKey>;

const MAX_BYTES = 1024 * 1024;

/** What is to be written, if anything, and what the change answers. */
type Changed<T> = { index?: KeyFile; result: T };

/** Changes the file under its lock, so that two changes at once are both kept. */
export async function changeKeyFile<T>(
  path: string,
  work: (index: KeyFile) => Promise<Changed<T>>,
): Promise<T> {
  return storing("keys.json", async () => {
    await makeFolder(dirname(path), 0o700);
    return withLock(
      `${path}.lock`,
      { waitMs: 10_000, what: "the stored keys", command: "writ key" },
      async () => {
        const { index, result } = await work(await readKeyFile(path));
        if (index) await writeKeyFile(path, index);
        return result;
      },
    );
  });
}

/** Reads the file; none yet is an empty one, a damaged one is STORE_ERROR. */
export async function readKeyFile(path: string): Promise<KeyFile> {
  const bytes = await storing("keys.json", () => readOrNull(path, MAX_BYTES));
  if (!bytes) return new Map();
  try {
    const file = JSON.parse(bytes.toString("utf8")) as { keys: Record<string, StoredKey> };
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

async function writeKeyFile(path: string, index: KeyFile): Promise<void> {
  const keys = Object.fromEntries([...index].sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeAtomic(path, `${JSON.stringify({ schema: "writ-keys/1", keys }, null, 2)}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
}
