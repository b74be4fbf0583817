import { rm } from "node:fs/promises";
import { z } from "zod";
import { fail } from "../../contract/index.ts";
import { storing, writeAtomic } from "../../platform/index.ts";
import { readState, stateOf } from "./state.ts";

const journalLabel = ".writ/workspace/journal.json";

const hash = z.string().nullable();

const Action = z.object({
  path: z.string(),
  action: z.enum(["create", "update", "delete", "link"]),
  /** Hash on disk when it was planned; null: nothing stood there. */
  from: hash,
  /** Hash it shall have; null: nothing shall stand there. */
  to: hash,
  /** Name of the staged file inside the staging folder. */
  staged: z.string().optional(),
  /** Target of the link to make. */
  target: z.string().optional(),
  /** Target of the link that stood there. */
  was: z.string().optional(),
  /** The replaced bytes are somebody's work: never dropped, and listed by path. */
  backup: z.boolean().optional(),
});

const Swapped = z.object({ from: hash, to: hash, staged: z.string().optional() });

/** The schema of journal.json: a committed run, until its swap is complete and its event is written. */
export const JournalSchema = z.object({
  schema: z.literal("writ-journal/1"),
  run: z.string(),
  event: z.object({
    act: z.string(),
    capability: z.string(),
    actor: z.string(),
    acts_for: z.string().optional(),
    at: z.string(),
    fact: z.record(z.string(), z.unknown()),
  }),
  actions: z.array(Action),
  /** `submodule`: the URL under which the workspace's own repository shall know the clone. */
  clones: z.array(z.object({ path: z.string(), staged: z.string(), submodule: z.string().optional() })),
  /** `url` leads to the cached repository that has the new commit. */
  forwards: z.array(
    z.object({ path: z.string(), branch: z.string(), from: z.string(), to: z.string(), url: z.string() }),
  ),
  prunes: z.array(z.object({ path: z.string(), discardIgnored: z.boolean() })),
  lock: Swapped.optional(),
  applied: z.object({ from: hash, to: z.string(), staged: z.string() }),
  /** Whether this run is itself an undo, after which there is nothing left to undo. */
  undo: z.boolean(),
  /** True when the workspace's own repository gets a commit. */
  commit: z.boolean(),
});

export type Journal = z.output<typeof JournalSchema>;
export type Action = z.output<typeof Action>;

/** Reads the journal; undefined when no run is pending. Cheap when absent. */
export async function readJournal(root: string): Promise<Journal | undefined> {
  const bytes = await readState(root, "journal");
  return bytes ? parseJournal(bytes.toString("utf8")) : undefined;
}

function parseJournal(text: string): Journal {
  try {
    return JournalSchema.parse(JSON.parse(text));
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
  const journal = await readJournal(root);
  if (journal?.run === run) await rm(stateOf(root).journal, { force: true });
}
