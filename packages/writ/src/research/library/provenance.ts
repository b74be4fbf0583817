/**
 * What happened to papers, as rows `(id, events)`: one JSON array a paper, its events in order of time, from the
 * records and decisions that count. A corpus that was restored brings its own events along. `ids` is a condition
 * over the paper's id, named `id`.
 */
export function provenanceSql(ids = "true"): string {
  // Sorted as lists, each by its own: an aggregate that sorts costs ten times as much.
  return `
    SELECT id, CAST(to_json(list_transform(list_sort(list({t: "when", rank: rank, name: name, event: event})),
      lambda one: one.event)) AS VARCHAR) AS events FROM (
      ${toldSql()} UNION ALL ${decidedSql()} UNION ALL ${broughtSql()})
    WHERE ${ids} GROUP BY id`;
}

const shape =
  "STRUCT(action VARCHAR, equation_id VARCHAR, chaining_hop INTEGER, source VARCHAR, fetched_at VARCHAR, decided_by VARCHAR, decided_at VARCHAR)";

const instant = (column: string) => `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')`;

function toldSql(): string {
  return `
    SELECT p.paper_id AS id, s.fetched_at AS "when", 0 AS rank, s.source || s.source_key || s.run_id AS name,
      CAST({
        action: CASE WHEN s.seed THEN 'seeded' WHEN s.via IN ('lookup', 'reference') THEN 'fetched_by_id' ELSE 'fetched' END,
        equation_id: r.equation_id, chaining_hop: s.hop,
        source: CASE s.via WHEN 'citer' THEN 'chaining:forward' WHEN 'reference' THEN 'chaining:backward' ELSE s.source END,
        fetched_at: ${instant("s.fetched_at")}, decided_by: NULL, decided_at: NULL} AS ${shape}) AS event
    FROM sightings s JOIN record_papers p USING (source, source_key) JOIN runs r USING (run_id)
    WHERE r.revoked_by IS NULL AND s.via <> 'corpus'`;
}

function decidedSql(): string {
  return `
    SELECT d.paper_id, d.decided_at, 1, printf('%020d', d.seq),
      CAST({
        action: d.decision, equation_id: NULL, chaining_hop: NULL,
        source: CASE WHEN d.kind = 'filter' THEN d.reason END, fetched_at: NULL,
        decided_by: CASE WHEN d.kind = 'filter' THEN 'prisma_filter' ELSE d."by" END,
        decided_at: ${instant("d.decided_at")}} AS ${shape})
    FROM decisions d JOIN runs r USING (run_id)
    WHERE r.revoked_by IS NULL AND d.decision IS NOT NULL AND (r.params->>'from_corpus') IS NULL`;
}

// An event of a corpus keeps its own time and order where it has one.
function broughtSql(): string {
  return `
    SELECT paper_id, coalesce(TRY_CAST(coalesce(event.decided_at, event.fetched_at) AS TIMESTAMPTZ), epoch_ms(0)), 0,
      printf('%020d', pos), event
    FROM (
      SELECT p.paper_id, generate_subscripts(told.events, 1) AS pos, unnest(told.events) AS event
      FROM (SELECT source, source_key, row_hash,
          CAST(json_transform(corpus_provenance, '[{"action":"VARCHAR","equation_id":"VARCHAR","chaining_hop":"INTEGER","source":"VARCHAR","fetched_at":"VARCHAR","decided_by":"VARCHAR","decided_at":"VARCHAR"}]') AS ${shape}[]) AS events
        FROM records WHERE source = 'corpus' AND json_valid(corpus_provenance)) told
      JOIN record_papers p USING (source, source_key, row_hash))`;
}
