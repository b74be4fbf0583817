import { join } from "node:path";
import { readOrNull } from "../../platform/index.ts";

/** The file of a folder of networks that tells what each of them is. */
export const indexName = "build.json";

/** Where a run makes its networks ready, beside those they will take the place of. */
export const stageName = (runId: string): string => `.stage-${runId}`;

/** What the index tells of one network. */
export interface BuiltFacts {
  build_id: string;
  run_id: string;
  kind: string;
  scope: string;
  params: Record<string, unknown>;
  corpus_hash: string;
  fingerprint: string;
  content_version: number;
  nodes: number;
  edges: number;
  built_at: string;
}

/** By name; null is a network that is gone. */
export type BuildIndex = Record<string, BuiltFacts | null>;

/** The index of a folder; empty where it is missing, or cut off: what it told is told by the library. */
export async function readIndex(folder: string): Promise<BuildIndex> {
  try {
    const found: unknown = JSON.parse(String(await readOrNull(join(folder, indexName))));
    return typeof found === "object" && found !== null ? (found as BuildIndex) : {};
  } catch {
    return {};
  }
}
