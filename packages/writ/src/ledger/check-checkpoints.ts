import { type Checkpoint, signedText } from "./checkpoint.ts";
import type { Finding, Verdict } from "./finding.ts";
import { isSignedBy } from "./ledger-key.ts";

/** Public keys by their id. */
export type KnownKeys = ReadonlyMap<string, string>;

/** Compares a chain with the checkpoints that were made of it. */
export function checkpointChecker(checkpoints: readonly Checkpoint[], keys: KnownKeys) {
  const findings: Finding[] = [];
  const tally = { count: checkpoints.length, signed: 0, unknown_key: 0 };
  const bySeq = Map.groupBy(checkpoints, (checkpoint) => checkpoint.seq);
  for (const checkpoint of checkpoints) {
    const key = keys.get(checkpoint.key_id);
    if (key === undefined) tally.unknown_key++;
    else if (isSignedBy(key, signedText(checkpoint), checkpoint.signature)) tally.signed++;
    else findings.push(mismatch(checkpoint.seq, "has a signature that is not its key's"));
  }
  return {
    /** Told of each event in turn. */
    see(seq: number, hash: string): void {
      for (const checkpoint of bySeq.get(seq) ?? []) {
        if (checkpoint.hash !== hash) findings.push(mismatch(seq, "says that the event had another hash"));
      }
    },
    /** Told where the chain ended: a checkpoint beyond it means that events were cut off. */
    end(lastSeq: number): { findings: Finding[]; tally: Verdict["checkpoints"] } {
      const beyond = Math.max(0, ...checkpoints.map(({ seq }) => seq));
      if (beyond > lastSeq) findings.push(truncated(lastSeq, `a checkpoint was made at event ${beyond}`));
      return { findings, tally };
    },
  };
}

/** The finding that a chain ends before it should. */
export function truncated(lastSeq: number, evidence: string): Finding {
  const seq = lastSeq + 1;
  return { seq, kind: "TRUNCATED", message: `The chain ends with event ${lastSeq}, but ${evidence}.` };
}

function mismatch(seq: number, says: string): Finding {
  return { seq, kind: "CHECKPOINT_MISMATCH", message: `The checkpoint at event ${seq} ${says}.` };
}
