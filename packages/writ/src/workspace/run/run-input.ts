import { z } from "zod";

const listOf = (what: string) => z.array(z.string().min(1).max(1000)).max(200).default([]).describe(what);

/** Flags of every command that writes under the run lock. */
export const waitInput = {
  wait: z.int().min(0).max(3600).default(30).describe("Seconds to wait for another run of this workspace."),
};

/** The ways out of a conflict, and what a run does about them. */
export const conflictInput = {
  strict: z.boolean().default(false).describe("Conflicts and hidden text are errors."),
  merge: z.boolean().default(false).describe("Merge line by line what both sides changed."),
  theirs: listOf("Take the new text of these paths, keeping yours as a backup; . means every conflict."),
  ours: listOf("Keep your text of these paths and call the conflict settled; . means every conflict."),
};

type Parsed<T extends z.ZodRawShape> = z.output<z.ZodObject<T>>;
export type ConflictInput = Parsed<typeof conflictInput>;
