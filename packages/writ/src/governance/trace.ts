import { join } from "node:path";
import type { Ids } from "../contract/index.ts";
import { makeFolder, redact, requireNoLinks, writeAtomic } from "../platform/index.ts";

/** Writes the trace of a defect beside the workspace's state, and names the file relative to the root. */
export async function writeTrace(
  error: unknown,
  { root, ids }: { root: string | undefined; ids: Ids },
): Promise<string | undefined> {
  if (root === undefined) return undefined;
  const name = `.writ/errors/${ids.next("err")}.txt`;
  await requireNoLinks(root, name);
  await makeFolder(join(root, ".writ", "errors"));
  await writeAtomic(join(root, name), `${redact(traceOf(error))}\n`, { mode: 0o600 });
  return name;
}

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? stack : `${stack}\nCaused by: ${traceOf(error.cause)}`;
}
