import { readFile } from "node:fs/promises";
import { z } from "zod";
import { storeError } from "../../platform/index.ts";
import { stateOf } from "./state.ts";

const hash = z.string().nullable();

/** What the last changing run replaced; every `from` names kept bytes, links carry their target. */
const UndoSchema = z.object({
  schema: z.literal("writ-undo/1"),
  run: z.string(),
  actions: z.array(
    z.object({
      path: z.string(),
      from: hash,
      to: hash,
      mode: z.string().optional(),
      /** Target of the link that stood there. */
      target: z.string().optional(),
    }),
  ),
  lock: z.object({ from: hash, to: hash }).optional(),
  /** Hash of the earlier applied.json in the content store; null when there was none. */
  applied: hash,
});

export type Undo = z.output<typeof UndoSchema>;

/** The record of the last changing run, or undefined when there is nothing to undo. */
export async function readUndo(root: string): Promise<Undo | undefined> {
  try {
    const parsed = UndoSchema.safeParse(JSON.parse(await readFile(stateOf(root).undo, "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw storeError(error, ".writ/workspace/undo.json");
  }
}
