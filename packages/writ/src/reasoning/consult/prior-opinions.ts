import { notA } from "../admit/rule.ts";
import type { Room } from "../settings/room.ts";
import { preload } from "../store/preload.ts";
import type { RecordIndex } from "../store/record-index.ts";

/** The texts of opinions to pass on; an answer is passed on without the name of who gave it. */
export async function readOpinions(
  room: Room,
  index: RecordIndex,
  given: readonly string[],
): Promise<string[]> {
  const opinions: string[] = [];
  for (const text of given) {
    const id = /^record:(consultation_\S+)$/.exec(text)?.[1];
    if (id === undefined) {
      opinions.push(text);
      continue;
    }
    const { records } = await preload(room.root, index, { roots: [index.find(id)?.root ?? id] });
    const wrong = notA(records, id, { kind: "consultation", field: "prior_opinions" });
    if (wrong) throw wrong;
    const answer = records.findOf(id, "consultation")?.body.answer;
    if (answer) opinions.push(answer.conclusion);
  }
  return opinions;
}
