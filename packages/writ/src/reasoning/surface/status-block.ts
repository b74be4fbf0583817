import type { StatusBlock } from "../../contract/index.ts";
import { statesOf } from "../availability/availability.ts";
import { situationOf } from "../availability/situation.ts";
import { openRoom, warnOfFaults } from "../settings/room.ts";
import type { IndexLine } from "../store/facts.ts";
import { readIndex } from "../store/index-file.ts";
import type { RecordIndex } from "../store/record-index.ts";

/** What `status` says of reasoning; read from the index alone. */
export const reasoningBlock: StatusBlock = {
  name: "reasoning",
  async read(ctx) {
    if (!ctx.workspace) return undefined;
    const room = await openRoom(ctx);
    warnOfFaults(room);
    const { index } = await readIndex(room.root);
    const states = statesOf(situationOf(room, index));
    const available = states.filter(({ status }) => status === "available").map(({ id }) => id);
    return {
      operational: true,
      mode: room.mode.mode,
      mode_source: room.mode.source,
      available,
      unavailable: states.length - available.length,
      open_assessments: openAssessments(index),
      review_debt: reviewDebt(index),
    };
  },
};

/** Assessments without a conclusion that stands, and that rest on no other. */
function openAssessments(index: RecordIndex): number {
  const superseded = new Set(index.ofKind("conclusion").map(({ facts }) => facts.supersedes));
  const isConcluded = (lines: readonly IndexLine[]) =>
    lines.some(({ kind, id }) => kind === "conclusion" && !superseded.has(id)) ||
    lines.findLast(({ kind }) => kind === "plan")?.facts.outcome === "reuse_prior";
  return index.ofKind("assessment").filter(({ id }) => !isConcluded(index.ofRoot(id))).length;
}

/** Selections that were neither asked nor waived. */
function reviewDebt(index: RecordIndex): number {
  const done = new Set(
    [...index.ofKind("dispatch"), ...index.ofKind("waiver")].map(
      ({ facts }) => `${facts.plan ?? ""} ${facts.advisor ?? ""}`,
    ),
  );
  return index
    .ofKind("plan")
    .flatMap(({ id, facts }) => (facts.selected ?? []).filter((advisor) => !done.has(`${id} ${advisor}`)))
    .length;
}
