import { adapterFacts } from "../advisors/table.ts";
import type { Advisor, Catalogue } from "../catalogue/merge.ts";
import type { Room } from "../settings/room.ts";
import type { RecordIndex } from "../store/record-index.ts";
import type { Situation } from "./availability.ts";
import { clearing, ignoreAheadMs, type OutcomeEntry } from "./circuit.ts";
import { type Ceiling, ceilingsOf, dayOf, type Spending, usdOf } from "./limits.ts";
import type { ExchangeStatus } from "../model/words.ts";
import type { IndexLine } from "../store/facts.ts";
import { formatInstant } from "../../platform/index.ts";

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
    history: historyOf(index, now),
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
  const window = { task, day: dayOf(formatInstant(ctx.clock.now())) };
  return ceilingsOf(spendingsOf(index, tables.catalogue, window), { limits: settings.limits, ...window });
}

/** How exchanges with each advisor ended since one of them or a reset cleared what was before, in order. */
function historyOf(index: RecordIndex, now: number): Map<string, OutcomeEntry[]> {
  const history = new Map<string, OutcomeEntry[]>();
  const ahead = formatInstant(now + ignoreAheadMs);
  const lines = [...index.ofKind("consultation"), ...index.ofKind("circuit_reset")];
  if (index.ofKind("circuit_reset").length > 0) lines.sort((a, b) => a.seq - b.seq);
  for (const { id, at, kind, facts } of lines) {
    const { advisor = "", status, retry_after_seconds } = facts;
    const outcome = kind === "circuit_reset" ? kind : ((status ?? "error") as ExchangeStatus);
    if (at <= ahead && clearing.has(outcome)) {
      history.delete(advisor);
      continue;
    }
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
  const held = new Map<string, string>();
  // Instants of records compare as they are written; almost all are long past.
  const idleSince = formatInstant(now - idleMs);
  for (const { id, at, facts } of index.ofKind("plan")) {
    if (id === except || at <= idleSince) continue;
    for (const advisor of facts.selected ?? []) held.set(key(id, advisor), advisor);
  }
  const overSince = formatInstant(now - graceMs);
  for (const { facts } of index.ofKind("dispatch")) {
    const { plan, advisor = "", deadline_at: deadline = "" } = facts;
    if (deadline > overSince && plan !== except) held.set(key(plan, advisor), advisor);
    else if (held.size > 0) held.delete(key(plan, advisor));
  }
  if (held.size === 0) return new Set();
  for (const { facts } of [...index.ofKind("consultation"), ...index.ofKind("waiver")])
    held.delete(key(facts.plan, facts.advisor));
  return new Set(held.values());
}

/** What exchanges away from this machine cost: as reported, else estimated; an open one costs its reserve. */
function spendingsOf(
  index: RecordIndex,
  { advisors }: Catalogue,
  { task, day }: { task: string; day: string },
): Spending[] {
  const byId = new Map<string, Advisor>(advisors.map((advisor) => [advisor.id, advisor]));
  const isCounted = (line: IndexLine) =>
    line.facts.remote === true && (line.task === task || dayOf(line.at) === day);
  const ended = new Set(index.ofKind("consultation").map(({ facts }) => facts.dispatch));
  const counted = [
    ...index.ofKind("consultation").filter(isCounted),
    ...index.ofKind("dispatch").filter((line) => isCounted(line) && !ended.has(line.id)),
  ];
  return counted.map((line) => {
    const { input = 0, output = 0, advisor = "" } = line.facts;
    const price = byId.get(advisor)?.model?.price;
    return {
      task: line.task,
      day: dayOf(line.at),
      tokens: input + output,
      ...(price && { usd: usdOf(price, { input, output }) }),
    };
  });
}
