import { z } from "zod";

const hash = z.string().nullable();

export const ActionSchema = z.object({
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
  actions: z.array(ActionSchema),
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
