import { z } from "zod";
import { readState } from "./state.ts";

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
  const bytes = await readState(root, "undo");
  return bytes ? parseUndo(bytes.toString("utf8")) : undefined;
}

function parseUndo(text: string): Undo | undefined {
  try {
    const parsed = UndoSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
