import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WritError } from "../../contract/index.ts";
import { makeFolder, lstatOrNull } from "../../platform/index.ts";
import { nullIfDenied, type Place } from "./cache-place.ts";

const markOf = ({ folder, hash }: Pick<Place, "folder" | "hash">): string => join(folder, "missing", hash);

/** Whether the remote said, when it was asked last, that it has no such repository. */
export async function wasMissing(place: Pick<Place, "folder" | "hash">): Promise<boolean> {
  return (await lstatOrNull(markOf(place)).catch(nullIfDenied)) !== null;
}

/** Asks a remote, and keeps in mind whether the repository was there. */
export async function notingMissing<T>(place: Place, ask: () => Promise<T>): Promise<T> {
  const mark = markOf(place);
  try {
    const answer = await ask();
    if (await lstatOrNull(mark).catch(nullIfDenied)) await rm(mark, { force: true }).catch(() => {});
    return answer;
  } catch (error) {
    const isMissing =
      error instanceof WritError && (error.code === "E_LAZY_STACK" || error.code === "E_REPO_NOT_FOUND");
    // A cache that cannot be written forgets it, and the error itself is what counts.
    if (isMissing) await putMark(place.folder, mark).catch(() => {});
    throw error;
  }
}

async function putMark(folder: string, mark: string): Promise<void> {
  await makeFolder(join(folder, "missing"));
  await writeFile(mark, "");
}
