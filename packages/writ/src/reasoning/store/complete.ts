import { statesOf } from "../availability/availability.ts";
import { situationOf } from "../availability/situation.ts";
import { briefOf } from "../consult/brief.ts";
import type { CallerBody } from "../model/bodies.ts";
import type { DriverBody } from "../model/driver-bodies.ts";
import type { BodyOf, Evidence, StoredBody } from "../model/record.ts";
import { planOf } from "../policy/policy.ts";
import { subjectKey } from "../records/clean.ts";
import { priorOn, validationsOf } from "../records/relations.ts";
import { reviewOf } from "../records/review.ts";
import { isAncestorOf, lookAtCheckout } from "../reuse/checkout.ts";
import { matchesGlob } from "../reuse/glob.ts";
import { reuseFor } from "../reuse/reuse.ts";
import { requireUsable, type Room } from "../settings/room.ts";
import type { Preloaded } from "./preload.ts";
import type { RecordIndex } from "./record-index.ts";

/** What a body is completed from: the records of the moment, under the lock. */
export interface Completing {
  room: Room;
  index: RecordIndex;
  known: Preloaded;
  /** The evidence of the body, looked up. */
  evidence: Evidence[];
  head?: string;
}

/** Adds to a body what only the writer may say. What it refers to was judged before. */
export async function complete(body: CallerBody | DriverBody, completing: Completing): Promise<StoredBody> {
  const { known, evidence } = completing;
  switch (body.kind) {
    case "plan":
      return completePlan(body, completing);
    case "conclusion":
      return { ...body, evidence, review: reviewOf(known.records, body) };
    case "validation":
      return { ...body, evidence, settles: await settledBy(body, completing) };
    case "assessment":
    case "local_review":
    case "resolution":
    case "attempt":
      return { ...body, evidence } as StoredBody;
    case "disagreement":
    case "waiver":
    case "circuit_reset":
    case "dispatch":
    case "consultation":
      return body;
  }
}

async function completePlan(
  body: Extract<CallerBody, { kind: "plan" }>,
  { room, index, known }: Completing,
): Promise<BodyOf<"plan">> {
  const mode = requireUsable(room);
  const { records, damaged } = known;
  const assessment = records.findOf(body.assessment, "assessment");
  if (!assessment) throw new TypeError("a plan is completed once its assessment is known");
  const prior = priorOn(records, { subject: assessment.body.subject, except: assessment.id });
  const checkout = await lookAtCheckout(room, { records, conclusions: prior ? [prior] : [], damaged });
  const reuse = reuseFor(records, { assessment, checkout });
  const brief_bytes = Buffer.byteLength(
    briefOf({ assessment: assessment.body, isWithheld: withheldIn(room) }),
  );
  const { confidential, materiality, confidence, capabilities } = assessment.body;
  const states = statesOf(situationOf(room, index, { confidential, briefBytes: brief_bytes }));
  const plan = planOf({
    materiality,
    confidence,
    capabilities,
    confidential,
    mode,
    mode_source: room.mode.source,
    states,
    ...(reuse && { reuse }),
    ...(room.executorSource !== undefined && { executor_source: room.executorSource }),
  });
  return {
    ...body,
    plan,
    availability: states,
    ...(reuse && { reuse }),
    ...(room.executorSource !== undefined && { executor_source: room.executorSource }),
    brief_bytes,
  };
}

/** Whether an evidence path never leaves this machine. */
export function withheldIn({ settings }: Room): (reference: string) => boolean {
  return (reference) => settings.withhold.some((pattern) => matchesGlob(pattern, reference));
}

/** The failed checks of the same name that a pass at a later commit settles. */
async function settledBy(
  body: Extract<CallerBody, { kind: "validation" }>,
  { room, known, head }: Completing,
): Promise<string[]> {
  const conclusion = known.records.findOf(body.conclusion, "conclusion");
  if (body.outcome !== "pass" || !conclusion || head === undefined) return [];
  const fails = validationsOf(known.records, conclusion).filter(
    (one) => one.body.outcome === "fail" && subjectKey(one.body.check) === subjectKey(body.check),
  );
  const settled: string[] = [];
  for (const fail of fails) {
    if (fail.head === undefined || fail.head === head) continue;
    if (await isAncestorOf(room, { commit: fail.head, of: head })) settled.push(fail.id);
  }
  return settled;
}
