import { readdir, lstat } from "node:fs/promises";
import { join } from "node:path";
import { fail, type WritError } from "../../contract/index.ts";

/** Looks at a growing folder until it is ended. */
export interface SizeWatch {
  /** Fires, with E_LIMIT as its reason, when the folder passes its bound. */
  signal: AbortSignal;
  /** Looks once more and throws E_LIMIT when the bound is passed. */
  check(): Promise<void>;
  end(): void;
}

/** Watches the size of a repository while it is fetched; without a bound it never fires. */
export function watchSize(
  folder: string,
  { maxBytes, checkEveryMs, source }: { maxBytes?: number; checkEveryMs: number; source: string },
): SizeWatch {
  const controller = new AbortController();
  const look = async (): Promise<WritError | undefined> => {
    if (maxBytes === undefined) return undefined;
    const found = await folderBytes(folder);
    return found > maxBytes ? tooLarge({ limit: maxBytes, found, source }) : undefined;
  };
  const timer = setInterval(() => {
    void look().then((breach) => breach && controller.abort(breach));
  }, checkEveryMs);
  return {
    signal: controller.signal,
    async check() {
      const breach = await look();
      if (breach) throw breach;
    },
    end: () => clearInterval(timer),
  };
}

/** Bytes of all files below a folder; what vanishes while it is counted counts nothing. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

function tooLarge({ limit, found, source }: { limit: number; found: number; source: string }): WritError {
  return fail("E_LIMIT", {
    message: `The repository ${source} is larger than ${Math.round(limit / 1024 / 1024)} MiB.`,
    cause: `The fetch was stopped at ${found} bytes on disk.`,
    remediation: "Make the repository smaller (history with large files), or leave the source out.",
    details: { limit, found, source },
  });
}
