import { notA } from "../admit/rule.ts";
import type { RecordOf } from "../model/record.ts";
import type { Records } from "../records/records.ts";
import type { Room } from "../settings/room.ts";
import { readIndex } from "../store/index-file.ts";
import { preload } from "../store/preload.ts";
import type { RecordIndex } from "../store/record-index.ts";
import type { ConsultInput } from "./choose-plan.ts";
import { type Brief, makeBrief } from "./prepare.ts";
import { readOpinions } from "./prior-opinions.ts";

interface Looked {
  index: RecordIndex;
  records: Records;
  assessment: RecordOf<"assessment">;
  brief: Brief;
}

/** The assessment with its records, and its brief. */
export async function look(room: Room, input: ConsultInput): Promise<Looked> {
  const { index } = await readIndex(room.root);
  const known = await readKnown(room, { index, input });
  const opinions = await readOpinions(room, index, input.prior_opinions);
  const brief = makeBrief(room, { assessment: known.assessment, question: input.question, opinions });
  return { index, ...known, brief };
}

/** The records of the assessment that a call names. */
export async function readKnown(room: Room, { index, input }: { index: RecordIndex; input: ConsultInput }) {
  const roots = [
    input.assessment,
    ...(input.plan === undefined ? [] : [index.find(input.plan)?.root ?? input.plan]),
  ];
  const { records } = await preload(room.root, index, { roots });
  const wrong = notA(records, input.assessment, { kind: "assessment", field: "assessment" });
  if (wrong) throw wrong;
  return { records, assessment: records.findOf(input.assessment, "assessment") as RecordOf<"assessment"> };
}
