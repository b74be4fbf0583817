import type { Warning } from "../../contract/index.ts";
import { readersOf } from "./clients.ts";
import { grouped } from "./grouped.ts";

// Three quarters of what the strictest client reads: time to act before anything is lost.
const largeBytes = 24_576;

/** Warns of files that clients find large or will cut; Writ cuts nothing of the user's. */
export function sizeWarnings(files: readonly { path: string; bytes: Buffer }[]): Warning[] {
  return files.flatMap(({ path, bytes }): Warning[] => {
    if (bytes.length < largeBytes) return [];
    const size = grouped(bytes.length);
    const remediation = `Shorten the notes in ${path}, or lower agent_context.budget_bytes in workspace.yml.`;
    const cutters = readersOf(path).filter(
      ({ cutsAtBytes }) => cutsAtBytes !== undefined && bytes.length > cutsAtBytes,
    );
    const large: Warning = { code: "W_CONTEXT_LARGE", message: `${path} has ${size} bytes.`, remediation };
    if (cutters.length === 0) return [large];
    const names = cutters.map(({ name, cutsAtBytes }) => `${name} (reads ${grouped(cutsAtBytes ?? 0)})`);
    const message = `${path} has ${size} bytes and will be cut by ${names.join(", ")}.`;
    return [large, { code: "W_CONTEXT_CUT", message, remediation }];
  });
}
