/** A table of a snapshot: the order of its rows, and what makes two of them the same when libraries are united. */
interface SnapshotTable {
  order: string;
  /** Absent: it follows from the others, and is not read back. */
  same?: string[];
  /** A column that counts up within the library; rows that come from elsewhere are counted behind its own. */
  counted?: "seq";
}

/** Every table besides papers. */
export const snapshotTables: Readonly<Record<string, SnapshotTable>> = {
  meta: { order: "key" },
  runs: { order: "seq, run_id", same: ["run_id"], counted: "seq" },
  requests: { order: "run_id, seq", same: ["run_id", "seq"] },
  records: { order: "source, source_key, row_hash", same: ["source", "source_key", "row_hash"] },
  sightings: {
    order: "ALL",
    same: ["source", "source_key", "row_hash", "run_id", "via", "seed", "hop", "fetched_at"],
  },
  record_papers: { order: "source, source_key" },
  external_ids: { order: "engine, value, paper_id" },
  aliases: { order: "ALL", same: ["old_id", "paper_id", "reason", "run_id"] },
  decisions: {
    order: "seq",
    same: ["made_on", "decision", "by", "kind", "reason", "note", "run_id", "decided_at"],
    counted: "seq",
  },
  filter_log: { order: "run_id, step", same: ["run_id", "step"] },
  ref_dois: { order: "ref_id, run_id, doi", same: ["ref_id", "run_id"] },
  referenced_but_not_fetched: { order: "ref_id, run_id", same: ["ref_id", "run_id"] },
  citers: { order: "cited, citer, run_id", same: ["cited", "citer", "run_id"] },
  merges: { order: "merge_id, run_id", same: ["merge_id", "run_id"] },
  entity_map: { order: "kind, alias, canon, run_id", same: ["kind", "alias", "canon", "run_id"] },
  builds: { order: "build_id", same: ["build_id"] },
  loop_state_log: { order: "seq, run_id", same: ["run_id", "state", "recorded_at"], counted: "seq" },
};
