import { adapterFacts } from "../advisors/table.ts";
import type { Advisor, Catalogue } from "../catalogue/merge.ts";
import type { Room } from "../settings/room.ts";
import type { RecordIndex } from "../store/record-index.ts";
import type { Situation } from "./availability.ts";
import type { OutcomeEntry } from "./circuit.ts";
import { type Ceiling, ceilingsOf, type Spending, usdOf } from "./limits.ts";
import type { ExchangeStatus } from "../model/words.ts";

/** Without an assessment in view a brief is taken to be of this size. */
const usualBriefBytes = 4096;
/** A plan that asks nobody gives its probe back after this time, and an exchange after its deadline and a minute. */
const idleMs = 600_000;
const graceMs = 60_000;

/** What availability is computed from, for one request. `plan` is the plan whose own probes do not count. */
export function situationOf(
  room: Room,
  index: RecordIndex,
  request: { confidential?: boolean; briefBytes?: number; plan?: string } = {},
): Situation {
  const now = room.ctx.clock.now();
  return {
    catalogue: room.tables.catalogue,
    adapters: adapterFacts,
    presence: room.presence,
    mode: room.faults.some(({ code }) => code === "E_UNKNOWN_MODE") ? "unknown" : room.mode.mode,
    denied: room.denied,
    confidential: request.confidential ?? false,
    withholds: room.settings.withhold.length > 0,
    history: historyOf(index),
    probesHeld: probesHeld(index, { now, ...(request.plan !== undefined && { except: request.plan }) }),
    ceilings: ceilingsIn(room, index),
    briefBytes: request.briefBytes ?? usualBriefBytes,
    now,
    ...(room.cooldownSeconds !== undefined && { cooldownSeconds: room.cooldownSeconds }),
  };
}

/** The ceilings of the open task and of today. */
export function ceilingsIn(room: Room, index: RecordIndex): Ceiling[] {
  const { settings, task, ctx, tables } = room;
  if (Object.keys(settings.limits).length === 0) return [];
  const spendings = spendingsOf(index, tables.catalogue);
  return ceilingsOf(spendings, { limits: settings.limits, task, now: ctx.clock.now() });
}

/** How exchanges with each advisor ended, in order. */
function historyOf(index: RecordIndex): Map<string, OutcomeEntry[]> {
  const history = new Map<string, OutcomeEntry[]>();
  const lines = [...index.ofKind("consultation"), ...index.ofKind("circuit_reset")];
  if (index.ofKind("circuit_reset").length > 0) lines.sort((a, b) => a.seq - b.seq);
  for (const { id, at, kind, facts } of lines) {
    const { advisor = "", status, retry_after_seconds } = facts;
    const outcome = kind === "circuit_reset" ? kind : ((status ?? "error") as ExchangeStatus);
    const entries = history.get(advisor) ?? [];
    entries.push({
      id,
      at: Date.parse(at),
      outcome,
      ...(retry_after_seconds !== undefined && { retry_after_seconds }),
    });
    history.set(advisor, entries);
  }
  return history;
}

/** Advisors of which a recorded plan holds the probe: it selected them, and their exchange is not over. */
function probesHeld(index: RecordIndex, { now, except }: { now: number; except?: string }): Set<string> {
  const key = (plan = "", advisor = "") => `${plan} ${advisor}`;
  const over = new Set(
    [...index.ofKind("consultation"), ...index.ofKind("waiver")].map(({ facts }) =>
      key(facts.plan, facts.advisor),
    ),
  );
  const asked = new Map(
    index
      .ofKind("dispatch")
      .map(({ facts }) => [key(facts.plan, facts.advisor), Date.parse(facts.deadline_at ?? "")]),
  );
  const held = new Set<string>();
  for (const { id, at, facts } of index.ofKind("plan")) {
    if (id === except) continue;
    for (const advisor of facts.selected ?? []) {
      const deadline = asked.get(key(id, advisor));
      const until = deadline === undefined ? Date.parse(at) + idleMs : deadline + graceMs;
      if (!over.has(key(id, advisor)) && now < until) held.add(advisor);
    }
  }
  return held;
}

/** What exchanges away from this machine cost: as reported, else estimated; an open one costs its reserve. */
function spendingsOf(index: RecordIndex, { advisors }: Catalogue): Spending[] {
  const byId = new Map<string, Advisor>(advisors.map((advisor) => [advisor.id, advisor]));
  const ended = new Set(index.ofKind("consultation").map(({ facts }) => facts.dispatch));
  const counted = [
    ...index.ofKind("consultation"),
    ...index.ofKind("dispatch").filter(({ id }) => !ended.has(id)),
  ];
  return counted
    .filter(({ facts }) => facts.remote === true)
    .map(({ task, at, facts }) => {
      const { input = 0, output = 0, advisor = "" } = facts;
      const price = byId.get(advisor)?.model?.price;
      return {
        task,
        at: Date.parse(at),
        tokens: input + output,
        ...(price && { usd: usdOf(price, { input, output }) }),
      };
    });
}
