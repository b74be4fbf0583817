import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeTree } from "./write-atomic.ts";

/** A folder of the running test's own, gone when it ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "writ-platform-")));
  onTestFinished(() => removeTree(folder));
  return folder;
}
