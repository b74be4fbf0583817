import { digestOfFile, hasUnlisted, isGone } from "./read-records.ts";
import type { RecordIndex } from "./record-index.ts";
import type { Told } from "./told-file.ts";

/**
 * Whether the last line has no record: its writer died, or is about to name it. One that the ledger was told of was
 * there, and is missing.
 */
export function hasOpenEnd(root: string, { lines }: RecordIndex, told: Told | undefined): boolean {
  const last = lines.at(-1);
  return last !== undefined && told?.seq !== last.seq && isGone(root, last);
}

/**
 * Whether an index without a gap can be the whole. What the ledger was told of last bears witness, at the cost of one
 * small file; where it is silent or says something else, the last record must be what its line says and no file may
 * be left out.
 */
export async function isWhole(root: string, index: RecordIndex, told: Told | undefined): Promise<boolean> {
  const { head, lines } = index;
  const last = lines.at(-1);
  if (!last) return false;
  const isLast = told?.seq === head.seq;
  if (isLast && told.digest === head.digest) return true;
  const digest = digestOfFile(root, last);
  if (digest !== undefined && digest !== head.digest) return false;
  if (isLast && told.digest === undefined) return true;
  return !(await hasUnlisted(root, lines));
}
