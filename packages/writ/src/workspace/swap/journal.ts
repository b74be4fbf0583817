import { rm } from "node:fs/promises";
import type { z } from "zod";
import { fail } from "../../contract/index.ts";
import { storing, writeAtomic } from "../../platform/index.ts";
import type { ActionSchema, JournalSchema } from "./journal-schema.ts";
import { readState, stateOf } from "./state.ts";

const journalLabel = ".writ/workspace/journal.json";

export type Journal = z.output<typeof JournalSchema>;
export type Action = z.output<typeof ActionSchema>;

/** Reads the journal; undefined when no run is pending. Cheap when absent. */
export async function readJournal(root: string): Promise<Journal | undefined> {
  const bytes = await readState(root, "journal");
  return bytes ? parseJournal(bytes.toString("utf8")) : undefined;
}

async function parseJournal(text: string): Promise<Journal> {
  // Loaded after a crash only, and to find none is what every command does first.
  const { JournalSchema: schema } = await import("./journal-schema.ts");
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw fail("STORE_ERROR", {
      message: "The journal of an interrupted run cannot be read.",
      cause: ".writ/workspace/journal.json is not a journal of this version of Writ.",
      remediation: "Move .writ/workspace/journal.json away, then: writ bootstrap",
      from: error,
    });
  }
}

/** Writes the journal and syncs it: from here on the run has happened. */
export async function writeJournal(root: string, journal: Journal): Promise<void> {
  const text = `${JSON.stringify(journal)}\n`;
  await storing(journalLabel, () => writeAtomic(stateOf(root).journal, text, { mode: 0o600 }));
}

/** True when the run has passed its commit point and is not complete: what it staged must stay. */
export async function isCommitted(root: string, run: string): Promise<boolean> {
  // A journal that cannot be read may be this run's: better to leave files behind than to lose them.
  return readJournal(root).then(
    (journal) => journal?.run === run,
    () => true,
  );
}

/** Forgets the journal of one run; another run's is left alone. */
export async function removeJournal(root: string, run: string): Promise<void> {
  const bytes = await readState(root, "journal");
  // It begins with whose it is. To read all it holds, only to forget it, takes as long as to carry it out.
  const begins = JSON.stringify({ schema: "writ-journal/1", run }).slice(0, -1);
  if (bytes?.toString("utf8", 0, begins.length) === begins) await rm(stateOf(root).journal, { force: true });
}
