import type { Context } from "../../contract/index.ts";
import { readLibrary } from "../library/use.ts";
import { type DuplicateKind, duplicateKinds, type Proposal } from "./proposal.ts";
import { method, proposals } from "./propose.ts";

export interface Shown {
  proposals: Proposal[];
  count: number;
  total: number;
  vetoed_count: number;
  compared: number;
  method: Record<string, string>;
  reason?: string;
}

/** The best proposals, and how they were found. */
export async function showDuplicates(
  ctx: Context,
  given: { kind: DuplicateKind[]; limit: number; show_vetoed: boolean; wait: number },
): Promise<Shown> {
  const kinds =
    given.kind.length === 0 ? duplicateKinds : duplicateKinds.filter((one) => given.kind.includes(one));
  const effort = { compared: 0 };
  ctx.emit({ phase: "pairs" });
  const found = await readLibrary(ctx, (db) => proposals(db, kinds, effort), { wait: given.wait });
  const open = found.filter(({ vetoed }) => vetoed === undefined);
  const listed = given.show_vetoed ? found : open;
  const shown = listed.slice(0, given.limit);
  const vetoed = found.length - open.length;
  return {
    proposals: shown,
    count: shown.length,
    total: listed.length,
    vetoed_count: vetoed,
    compared: effort.compared,
    method: Object.fromEntries(kinds.map((kind) => [kind, method[kind]])),
    ...(shown.length === 0 && {
      reason: `${effort.compared === 1 ? "1 pair was" : `${effort.compared} pairs were`} compared; none is alike enough${vetoed > 0 ? `, and ${vetoed} that look alike are vetoed` : ""}.`,
    }),
  };
}
