import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storing } from "../../platform/index.ts";
import { chunksOf } from "./body.ts";
import type { Limits } from "./limits.ts";
import { refuse } from "./refusal.ts";

/** A body that lies in a file of its own for as long as the call that reads it. */
export interface Upload {
  bytes(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

/** Whether a body is a file for the call to read. A page of another site cannot send this type without asking. */
export function isUpload(contentType: string | undefined): boolean {
  return /^application\/octet-stream\s*(;|$)/i.test(contentType ?? "");
}

/**
 * Takes a body to the disk, whole before the call begins: an import holds the library's lock, and must not hold it
 * for as long as a slow client takes to send.
 */
export async function receive(
  request: Request,
  { input, limits }: { input: Record<string, unknown>; limits: Limits },
): Promise<Upload> {
  if (!Object.values(input).includes("-")) throw unread();
  const folder = await mkdtemp(join(tmpdir(), "writ-upload-"));
  // What cannot be taken away lies among temporary files, and is no failure of the call.
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => {});
  const path = join(folder, "body");
  const { uploadBytes: most, idleMs } = limits;
  try {
    const file = await open(path, "wx", 0o600);
    try {
      for await (const chunk of chunksOf(request, { most, idleMs }))
        await storing("the upload", () => file.appendFile(chunk));
    } finally {
      await file.close();
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { bytes: () => createReadStream(path), remove };
}

function unread() {
  return refuse(415, "USAGE_ERROR", {
    message: "Nothing in this call would read the body.",
    cause: "A body of application/octet-stream is read by an input that is given as - (standard input).",
    remediation: "Name the input in the address, as in ?from_file=-, or send the input as application/json.",
  });
}
