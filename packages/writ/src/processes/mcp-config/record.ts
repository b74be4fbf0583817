import { join } from "node:path";
import type { FileStore, OwedEvent } from "../../contract/index.ts";
import { makeFolder, readOrNull, sha256Hex, storing, writeAtomic } from "../../platform/index.ts";
import type { Made } from "./edit.ts";

/** What Writ has put into the configuration of clients, and the event it may still owe for it. */
interface Installed {
  schema: "1";
  clients: Record<string, Made>;
  /** Written before the file is: owed once the file has this hash. */
  owed?: { event: OwedEvent; file: string; to: string | null };
}

/** Where it stands, relative to the root. */
export const recordFile = ".writ/mcp-clients.json";
const maxBytes = 1024 * 1024;

/** Reads what was installed; an unreadable record is as good as none, since it only says how to tidy up. */
export async function readInstalled(root: string): Promise<Installed> {
  const bytes = await storing(recordFile, () =>
    readOrNull(join(root, recordFile), { maxBytes, label: recordFile }),
  );
  try {
    const read = JSON.parse(bytes?.toString("utf8") ?? "") as Installed;
    if (read.schema === "1" && typeof read.clients === "object" && read.clients !== null) return read;
  } catch {
    // Said above.
  }
  return { schema: "1", clients: {} };
}

/** Writes what was installed. */
export async function writeInstalled(root: string, installed: Installed): Promise<void> {
  await storing(recordFile, async () => {
    await makeFolder(join(root, ".writ"));
    await writeAtomic(join(root, recordFile), `${JSON.stringify(installed, null, 2)}\n`, { mode: 0o600 });
  });
}

/** The hash of a client's file; null when it is not there. */
async function hashOfFile(root: string, file: string): Promise<string | null> {
  const bytes = await storing(file, () => readOrNull(join(root, file), { maxBytes, label: file }));
  return bytes && sha256Hex(bytes);
}

/** The configuration of clients, as the executor sees it: the act is done once the file is what the record says. */
export const mcpConfigs: FileStore = {
  name: "mcp-config",
  async owed(root) {
    const { owed } = await readInstalled(root);
    return owed && (await hashOfFile(root, owed.file)) === owed.to ? [owed.event] : [];
  },
  async find(root, act) {
    const { owed } = await readInstalled(root);
    return owed?.event.act === act && (await hashOfFile(root, owed.file)) === owed.to;
  },
  async settled(root, act) {
    const { owed, ...installed } = await readInstalled(root);
    if (owed?.event.act === act) await writeInstalled(root, installed);
  },
};
