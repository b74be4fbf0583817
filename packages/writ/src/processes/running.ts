import { join } from "node:path";
import { makeFolder, readOrNull, requireNoLinks, storing, writeAtomic } from "../platform/index.ts";

/** Where the server of a workspace is, while one runs. */
export interface Running {
  pid: number;
  url: string;
  mcp_url: string;
}

const runningFile = ".writ/server.json";
const file = (root: string) => join(root, runningFile);

/** The lock that a running server holds for as long as it lives; its folder is made, and must not be a link. */
export async function serverLock(root: string): Promise<string> {
  await requireNoLinks(root, runningFile);
  await storing(runningFile, () => makeFolder(join(root, ".writ")));
  return join(root, ".writ", "server.lock");
}

/** Writes down where the server is, for the next `up` to say. */
export async function noteRunning(root: string, running: Running): Promise<void> {
  await storing(runningFile, () => writeAtomic(file(root), `${JSON.stringify(running)}\n`, { mode: 0o600 }));
}

/** What the running server wrote down, or undefined when it has not come so far. */
export async function readRunning(root: string): Promise<Running | undefined> {
  const bytes = await storing(runningFile, () => readOrNull(file(root), { maxBytes: 4096 }));
  try {
    return bytes ? (JSON.parse(bytes.toString("utf8")) as Running) : undefined;
  } catch {
    return undefined;
  }
}
