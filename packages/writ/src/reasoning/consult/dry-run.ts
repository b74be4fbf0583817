import type { RecordOf } from "../model/record.ts";
import type { Room } from "../settings/room.ts";
import { rehearse } from "../store/append.ts";
import { choosePlan, type ConsultInput, type Selection, selectionsOf } from "./choose-plan.ts";
import { look } from "./look.ts";
import { prepare } from "./prepare.ts";
import { consulted, type Consulted, type Result, shownExchange } from "./results.ts";

/** What a consultation would do, down to the bytes: nothing is opened and nothing is recorded. */
export async function rehearseConsult(room: Room, input: ConsultInput): Promise<Consulted> {
  const { index, records, assessment, brief } = await look(room, input);
  const chosen = choosePlan(records, input);
  const recorded = "plan" in chosen ? chosen.plan : undefined;
  const plan = recorded ?? (await rehearsePlan(room, input.assessment));
  const selections = selectionsOf(records, { plan, advisors: input.advisors });
  const results: Result[] = [];
  for (const selection of selections) {
    const { confidential } = assessment.body;
    results.push(await show(room, selection, { index, plan: recorded, selection, brief, confidential }));
  }
  const changed = !recorded || results.some(({ state }) => state === "planned");
  return consulted(input.assessment, {
    plan: plan.body.plan,
    ...(recorded && { id: recorded.id }),
    results,
    changed,
  });
}

async function rehearsePlan(room: Room, assessment: string): Promise<RecordOf<"plan">> {
  const body = { kind: "plan" as const, assessment, again: true };
  const { record } = await rehearse(room, body, { capability: "reasoning.consult" });
  return { ...record, seq: 0, prev: "" } as RecordOf<"plan">;
}

async function show(
  room: Room,
  { advisor, answer, waived }: Selection,
  of: Parameters<typeof prepare>[1],
): Promise<Result> {
  if (answer) return { advisor, state: "existing", consultation: answer.id, status: answer.body.status };
  if (waived) return { advisor, state: "skipped", reason: "waived" };
  const prepared = await prepare(room, of);
  if ("skipped" in prepared) return { advisor, state: "skipped", reason: prepared.skipped };
  if ("broken" in prepared) return { advisor, state: "failed", status: "error" };
  return { advisor, state: "planned", exchange: shownExchange(prepared.exchange) };
}
