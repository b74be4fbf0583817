import type { FileStore, OwedEvent } from "../../contract/index.ts";
import { readLines } from "./read-records.ts";
import { readIndex } from "./index-file.ts";
import { readTold } from "./told-file.ts";

/**
 * The reasoning records, as the executor sees them. A record stands the moment its file has its name; the ledger is
 * told under the same lock, so what it lacks was left by a process that died.
 */
export const reasoningFiles: FileStore = {
  name: "reasoning",

  async owed(root: string): Promise<OwedEvent[]> {
    const told = await readTold(root);
    if (told === undefined) return [];
    const { index } = await readIndex(root);
    // A consultation that was cut short has its beginning in the ledger, and no outcome: that is the truth of it.
    const lines = index.lines
      .slice(-200)
      .filter((line) => line.seq > told.seq && line.capability === "reasoning.record");
    const { records } = lines.length === 0 ? { records: [] } : await readLines(root, lines);
    return records.map(({ act, capability, actor, acts_for, recorded_at, id, seq }) => ({
      act,
      capability,
      actor,
      ...(acts_for !== undefined && { acts_for }),
      at: recorded_at,
      fact: { subjects: [`record:${id}`], detail: { record: id, seq } },
    }));
  },

  async find(root: string, act: string): Promise<boolean> {
    const { index } = await readIndex(root);
    return index.lines.some((line) => line.act === act);
  },

  // How far the ledger is told is written by who tells it.
  async settled(): Promise<void> {},
};
