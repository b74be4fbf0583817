import { open } from "node:fs/promises";
import { join } from "node:path";
import { canonicalJson, makeFolder, readOrNull, storing } from "../platform/index.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** A checkpoint as the installation keeps it: with the key that can check it, should the key change. */
export interface WitnessLine extends Checkpoint {
  public_key: string;
  /** Which database the chain stood in; lines of before this was written have none. */
  place?: string;
}

const fileName = "ledger_checkpoints.jsonl";

/** Adds a checkpoint to the installation's file, flushed before it returns. */
export async function appendWitness(folder: string, line: WitnessLine): Promise<void> {
  await storing(fileName, async () => {
    await makeFolder(folder, 0o700);
    const file = await open(join(folder, fileName), "a", 0o600);
    try {
      // One write of one line: lines of two processes never mix.
      await file.appendFile(`${canonicalJson(line)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

/** The checkpoints of a workspace that this installation has seen; a torn line is passed over. */
export async function readWitness(folder: string, workspace: string): Promise<WitnessLine[]> {
  const bytes = await storing(fileName, () => readOrNull(join(folder, fileName)));
  const lines = bytes?.toString("utf8").split("\n") ?? [];
  return lines.map(parse).filter((line) => line?.workspace === workspace) as WitnessLine[];
}

function parse(line: string): WitnessLine | undefined {
  try {
    return JSON.parse(line) as WitnessLine;
  } catch {
    return undefined;
  }
}
