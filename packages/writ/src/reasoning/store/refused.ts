import { fail } from "../../contract/index.ts";
import { storeError } from "../../platform/index.ts";
import { indexFile, recordsFolder } from "./paths.ts";

/** What gives a user's own checkout back to them, whoever wrote in it last. */
export const ownAgain = `sudo chown -R "$(id -un)" ${recordsFolder}; chmod -R u+rwX ${recordsFolder}`;

/**
 * Runs work on the records as a whole, or on their index. What the system refuses is STORE_ERROR with what helps
 * there: the index is a cache that may go, and a folder that another user left is given back.
 */
export async function opening<T>(
  what: typeof recordsFolder | typeof indexFile,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (from) {
    const error = storeError(from, what);
    const { message, cause, details } = error.failure;
    if (error.code !== "STORE_ERROR" || error === from) throw error;
    if (!["EACCES", "EPERM", "EISDIR"].includes(String(details?.errno))) throw error;
    throw fail("STORE_ERROR", {
      message,
      cause,
      remediation:
        what === indexFile
          ? `It is a cache of the records; take it away: rm -rf ${indexFile}`
          : `Make it yours again: ${ownAgain}`,
      ...(details && { details }),
      from,
    });
  }
}
