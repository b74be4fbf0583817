import type { LedgerEvent } from "./event.ts";
import { genesisHash } from "./event.ts";
import type { Finding } from "./finding.ts";
import { hashEvent } from "./hash-event.ts";
import type { Head } from "./head.ts";

/** What the checker must know of the rest of a chain, to tell one kind of damage from another. */
export interface Surroundings {
  /** Whether any event has this hash. */
  hasHash(hash: string): Promise<boolean>;
  /** Whether any event, or the head, follows on this hash. */
  isFollowed(hash: string): Promise<boolean>;
  /** Whether any event has this sequence number. */
  hasSeq(seq: number): Promise<boolean>;
  /** No event ever had a greater number than this. */
  lastSeq: number;
}

/** Checks the next event of a chain: null when it follows, else what happened. Null events are not canonical. */
export async function checkNext(
  before: Head,
  event: LedgerEvent | null,
  around: Surroundings,
): Promise<Finding | null> {
  const seq = before.seq + 1;
  if (!event) return { seq, kind: "MODIFIED", message: `Event ${seq} is not in its canonical form.` };
  const whole = hashEvent(event) === event.hash;
  if (event.seq === seq && whole && event.prev_hash === before.hash) return null;
  if (event.seq !== seq) return misplaced(before, event, around);
  if (whole) return unlinked(before, event, around);
  return displaced(event, around);
}

// Another number stands where `seq` was expected.
async function misplaced(before: Head, event: LedgerEvent, around: Surroundings): Promise<Finding> {
  const seq = before.seq + 1;
  if (hashEvent({ ...event, seq }) === event.hash && event.prev_hash === before.hash) {
    return { seq, kind: "MODIFIED", message: `Event ${seq} was given the number ${event.seq}.` };
  }
  if (event.seq < seq || (await around.hasSeq(seq))) {
    return { seq, kind: "REORDERED", message: `Event ${event.seq} stands where ${seq} was.` };
  }
  return { seq, kind: "MISSING", message: `Event ${seq} is missing.` };
}

// Whole in itself, but it follows on another event than the one before it: one of the two was rewritten
// together with its hash. The original is the one that the rest of the chain goes on from.
async function unlinked(before: Head, event: LedgerEvent, around: Surroundings): Promise<Finding> {
  const original = before.seq > 0 && (await around.isFollowed(event.hash));
  const seq = original ? before.seq : event.seq;
  return {
    seq,
    kind: "MODIFIED",
    message: `Event ${seq} was rewritten with a new hash; the chain does not join.`,
  };
}

// The hash is wrong: either the content was changed, or the event is another one under a new number.
async function displaced(event: LedgerEvent, around: Surroundings): Promise<Finding> {
  const { seq } = event;
  const home = formerSeq(event, around.lastSeq);
  if (home === undefined) return { seq, kind: "MODIFIED", message: `Event ${seq} was changed.` };
  const hasPredecessor = event.prev_hash === genesisHash || (await around.hasHash(event.prev_hash));
  if (hasPredecessor) return { seq, kind: "REORDERED", message: `Event ${home} stands where ${seq} was.` };
  return { seq, kind: "MISSING", message: `Event ${seq} is missing, and later ones were renumbered.` };
}

function formerSeq(event: LedgerEvent, lastSeq: number): number | undefined {
  for (let seq = 1; seq <= lastSeq; seq++) {
    if (hashEvent({ ...event, seq }) === event.hash) return seq;
  }
  return undefined;
}
