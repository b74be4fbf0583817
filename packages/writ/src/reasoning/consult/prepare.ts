import { fail } from "../../contract/index.ts";
import { loadAdapter } from "../advisors/load.ts";
import type { Adapter, Exchange } from "../advisors/adapter.ts";
import { statesOf } from "../availability/availability.ts";
import { tokensLeft } from "../availability/limits.ts";
import { ceilingsIn, situationOf } from "../availability/situation.ts";
import type { Advisor } from "../catalogue/merge.ts";
import { bounds, mostAttempts } from "../model/bounds.ts";
import type { AdvisorState } from "../model/plan.ts";
import type { RecordOf } from "../model/record.ts";
import { cleanText } from "../records/clean.ts";
import type { Room } from "../settings/room.ts";
import { withheldIn } from "../store/complete.ts";
import type { RecordIndex } from "../store/record-index.ts";
import { briefOf, standardQuestion } from "./brief.ts";
import type { Selection } from "./choose-plan.ts";
import { exchangeInput } from "./exchange-input.ts";

/** The brief of an assessment, which is the same for everybody who is asked. */
export interface Brief {
  text: string;
  question: string;
}

export function makeBrief(
  room: Room,
  of: { assessment: RecordOf<"assessment">; question: string | undefined; opinions: readonly string[] },
): Brief {
  const question = of.question === undefined ? standardQuestion : cleanText(of.question);
  const text = briefOf({
    assessment: of.assessment.body,
    question,
    opinions: of.opinions,
    isWithheld: withheldIn(room),
  });
  const bytes = Buffer.byteLength(text);
  if (bytes <= bounds.briefBytes) return { text, question };
  throw fail("E_LIMIT", {
    message: "The brief is too large to be sent.",
    cause: `It has ${bytes} bytes, and at most ${bounds.briefBytes} are sent.`,
    remediation:
      "Record a shorter assessment that refers to the rest as evidence: writ reasoning record --file FILE",
    details: { limit: bounds.briefBytes, found: bytes },
  });
}

/** An exchange that may be sent. */
export interface Prepared {
  advisor: Advisor;
  state: AdvisorState;
  adapter: Adapter;
  exchange: Exchange;
  maxOutputTokens: number;
}

/** What would be sent to a selected advisor now, or the word why it is left out. */
export async function prepare(
  room: Room,
  of: {
    index: RecordIndex;
    plan: RecordOf<"plan"> | undefined;
    selection: Selection;
    brief: Brief;
    confidential: boolean;
  },
): Promise<Prepared | { skipped: string } | { broken: unknown; advisor: Advisor; state: AdvisorState }> {
  const { index, plan, selection, brief, confidential } = of;
  const briefBytes = Buffer.byteLength(brief.text);
  const advisor = room.tables.catalogue.advisors.find(({ id }) => id === selection.advisor);
  if (!advisor) return { skipped: "not_declared" };
  if (selection.attempts >= mostAttempts) return { skipped: "attempts_exhausted" };
  const situation = situationOf(room, index, { confidential, briefBytes, ...(plan && { plan: plan.id }) });
  const state = statesOf(situation).find(({ id }) => id === advisor.id);
  if (!state || state.status !== "available") return { skipped: state?.reason ?? "not_declared" };
  const price = advisor.model?.price;
  const left = state.remote
    ? tokensLeft(ceilingsIn(room, index), { briefBytes, ...(price && { price }) })
    : undefined;
  const maxOutputTokens = Math.max(1, Math.min(advisor.max_output_tokens, left ?? Number.POSITIVE_INFINITY));
  try {
    const adapter = await loadAdapter(advisor.adapter);
    const exchange = adapter.describe(exchangeInput(room, { advisor, prompt: brief.text, maxOutputTokens }));
    return { advisor, state, adapter, exchange, maxOutputTokens };
  } catch (broken) {
    return { broken, advisor, state };
  }
}
