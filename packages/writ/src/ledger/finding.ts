/** What is wrong with a ledger, and from which event on. */
export interface Finding {
  /** The first event that is not as it was written. */
  seq: number;
  kind: "MODIFIED" | "MISSING" | "REORDERED" | "TRUNCATED" | "CHECKPOINT_MISMATCH";
  message: string;
  /** Where it is a row that an event names. */
  table?: string;
  row?: string;
}

/** What `ledger verify` answers. */
export interface Verdict {
  ok: boolean;
  /** How many events were looked at. */
  events: number;
  head: { seq: number; hash: string };
  checkpoints: { count: number; signed: number; unknown_key: number };
  /** Payloads that were erased, and whose erasure is itself an event. */
  redacted: number;
  findings: Finding[];
}
