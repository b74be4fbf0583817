import { fail, type SqlReader, type WritError } from "../contract/index.ts";
import { checkNext, type Surroundings } from "./chain.ts";
import { checkpointChecker, type KnownKeys, truncated } from "./check-checkpoints.ts";
import { checkNamed } from "./check-named.ts";
import { type Checkpoint, storedCheckpoints } from "./checkpoint.ts";
import { genesisHash, type LedgerEvent } from "./event.ts";
import { eventBatches, storedSurroundings } from "./event-batches.ts";
import { untouchedEventOf } from "./event-row.ts";
import type { Finding, Verdict } from "./finding.ts";
import { type Head, readHead } from "./head.ts";
import { namedThings } from "./named-things.ts";

export interface VerifyOptions {
  /** Begin at this event, trusting the hash of the one before it; default 1. */
  from?: number;
  /** Checkpoints that the installation kept outside the store. */
  witnessed?: readonly Checkpoint[];
  /** Public keys of this installation, by id. */
  keys?: KnownKeys;
}

/**
 * Recomputes the chain, its checkpoints, and every row and payload that an event names, on one snapshot.
 * The chain is judged up to its first bad event; `findings` are in the order of their events.
 */
export async function verifyLedger(db: SqlReader, options: VerifyOptions = {}): Promise<Verdict> {
  const head = await readHead(db);
  const start = await startOf(db, options.from ?? 1);
  const checkpoints = merge(await storedCheckpoints(db), options.witnessed ?? []).filter(
    ({ seq }) => seq > start.seq,
  );
  const checker = checkpointChecker(checkpoints, options.keys ?? new Map());
  const named = namedThings();
  const around = storedSurroundings(db, head);
  let chain: Chain = { last: start, events: 0, ...(start.missing && { broken: start.missing }) };
  for await (const rows of eventBatches(db, start.seq)) {
    for (const row of rows) {
      const event = untouchedEventOf(row, db.dialect);
      chain = await step(chain, event, around);
      if (event) named.see(event);
      if (!chain.broken) checker.see(chain.last.seq, chain.last.hash);
    }
  }
  const ending = chain.broken ?? endOf(chain.last, head);
  const checked = checker.end(chain.broken ? Number.POSITIVE_INFINITY : chain.last.seq);
  const rows = await checkNamed(db, named);
  const findings = [
    ...(ending ? [ending] : []),
    ...withoutRepeats(checked.findings, ending),
    ...rows.findings,
  ];
  return {
    ok: findings.length === 0,
    events: chain.events,
    head,
    checkpoints: checked.tally,
    redacted: rows.redacted,
    findings: findings.sort((a, b) => a.seq - b.seq),
  };
}

/** E_LEDGER_BROKEN, with the whole verdict beside it. */
export function ledgerBroken(verdict: Verdict): WritError {
  const first = verdict.findings[0];
  return fail("E_LEDGER_BROKEN", {
    message: `The ledger is not as it was written, from event ${first?.seq ?? 0} on.`,
    cause: `${first?.kind ?? "MODIFIED"}: ${first?.message ?? ""}`,
    remediation:
      "Keep the store as it is, and compare it with a backup or an export: writ ledger verify --file EXPORT",
    details: { ...first, findings: verdict.findings.length },
    data: { ...verdict },
  });
}

interface Chain {
  last: Head;
  events: number;
  broken?: Finding;
}

async function step(chain: Chain, event: LedgerEvent | null, around: Surroundings): Promise<Chain> {
  const events = chain.events + 1;
  if (chain.broken) return { ...chain, events };
  const broken = await checkNext(chain.last, event, around);
  if (broken || !event) return { ...chain, events, ...(broken && { broken }) };
  return { last: { seq: event.seq, hash: event.hash }, events };
}

function endOf(last: Head, head: Head): Finding | undefined {
  if (head.seq > last.seq) return truncated(last.seq, `its head is at ${head.seq}`);
  if (head.seq === last.seq && head.hash === last.hash) return undefined;
  return {
    seq: head.seq,
    kind: "MODIFIED",
    message: `The head of the chain was changed: it says ${head.seq}, the last event is ${last.seq}.`,
    table: "ledger_heads",
  };
}

async function startOf(db: SqlReader, from: number): Promise<Head & { missing?: Finding }> {
  if (from <= 1) return { seq: 0, hash: genesisHash };
  const before = await db
    .selectFrom("ledger_events")
    .select(["seq", "hash"])
    .where("workspace_id", "=", db.workspaceId)
    .where("seq", "=", from - 1)
    .executeTakeFirst();
  if (before) return before;
  const seq = from - 1;
  return { seq, hash: "", missing: { seq, kind: "MISSING", message: `Event ${seq} is missing.` } };
}

// A checkpoint stands in the store and in the installation's file; one of the two may have been tampered with.
function merge(stored: readonly Checkpoint[], witnessed: readonly Checkpoint[]): Checkpoint[] {
  const distinct = new Map<string, Checkpoint>();
  for (const { workspace, seq, hash, at, key_id, signature } of [...stored, ...witnessed]) {
    const checkpoint = { workspace, seq, hash, at, key_id, signature };
    distinct.set(JSON.stringify(checkpoint), checkpoint);
  }
  return [...distinct.values()];
}

// The head and a checkpoint often tell the same cut; once is enough.
function withoutRepeats(findings: Finding[], ending: Finding | undefined): Finding[] {
  return findings.filter((finding) => finding.kind !== ending?.kind || finding.seq !== ending.seq);
}
