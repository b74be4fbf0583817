import type { Via, Work } from "../model.ts";
import type { Change } from "./changing.ts";
import { IngestMemory } from "./ingest-memory.ts";
import { type Recorded, recordOf, recordShape } from "./record.ts";
import { decide, type NewDecision } from "./tell.ts";

/** How the works of one call came to the library. */
export interface Ingest {
  via: Via;
  /** Whether they are seeds. */
  seed: boolean;
  /** Citation steps from a seed: 0 for seeds. */
  hop: number;
  /** When the source told it. */
  fetchedAt: Date;
}

export interface Ingested {
  /** Works taken in. */
  records: number;
  /** Of these, contents that the library did not hold. */
  fresh: number;
}

/**
 * Takes works into the library, in batches: their contents, where it does not hold them, and that this run met
 * them. Papers follow with the fold. The same work again, from the same source, adds a sighting and nothing else.
 */
export async function ingest(
  change: Change,
  works: Iterable<Work> | AsyncIterable<Work>,
  how: Ingest,
): Promise<Ingested> {
  const total: Ingested = { records: 0, fresh: 0 };
  const before = await countOf(change);
  const memory = new IngestMemory(change.db, before);
  let batch: Recorded[] = [];
  let decided: NewDecision[] = [];
  let cut = 0;
  const flush = async (records: Recorded[], decisions: NewDecision[]) => {
    await store(change, records, how);
    total.records += records.length;
    if (decisions.length > 0) await decide(change, decisions);
    change.ctx.signal.throwIfAborted();
    change.ctx.emit({ phase: "map", done: total.records });
  };
  // The database stores one batch while the next is being read.
  let storing: Promise<void> = Promise.resolve();
  try {
    for await (const work of works) {
      const record = recordOf(work);
      batch.push(record);
      const isFull = memory.add(record);
      if (record.cut.length > 0) cut += 1;
      if (work.decision !== undefined || work.note !== undefined)
        decided.push({
          paper: record.ownId,
          kind: "import",
          ...(work.decision !== undefined && { decision: work.decision }),
          ...(work.note !== undefined && { note: work.note }),
        });
      if (isFull) {
        await storing;
        await memory.beforeBatch();
        storing = flush(batch, decided);
        storing.catch(() => undefined);
        [batch, decided] = [[], []];
      }
    }
  } finally {
    // Whatever ended the reading, nothing is left running; its own failure is told below.
    await storing.catch(() => undefined);
  }
  await storing;
  await memory.beforeRest();
  if (batch.length > 0) await flush(batch, decided);
  await memory.beforeFold();
  total.fresh = (await countOf(change)) - before;
  if (cut > 0)
    change.ctx.warn({
      code: "W_CUT",
      message: `${cut} works had a title, an abstract or a list of authors beyond the bound; it was cut.`,
    });
  return total;
}

const shape = JSON.stringify(recordShape);

async function store({ db, run }: Change, records: readonly Recorded[], how: Ingest): Promise<void> {
  const distinct = [
    ...new Map(records.map((one) => [`${one.source} ${one.sourceKey} ${one.hash}`, one])).values(),
  ];
  const keys = [distinct.map((one) => one.source), distinct.map((one) => one.sourceKey)];
  const hashes = distinct.map((one) => one.hash);
  await db.run(
    `INSERT INTO records BY NAME
     SELECT source, source_key, row_hash, own_id, unnest(json_transform(json, '${shape}')) FROM (
       SELECT unnest($1) AS source, unnest($2) AS source_key, unnest($3) AS row_hash, unnest($4) AS own_id, unnest($5) AS json) s
     WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.source = s.source AND r.source_key = s.source_key
       AND r.row_hash = s.row_hash)`,
    [...keys, hashes, distinct.map((one) => one.ownId), distinct.map((one) => one.json)],
  );
  await db.run(
    `INSERT INTO sightings SELECT unnest($1), unnest($2), unnest($3), $4, $5, CAST($6 AS BOOLEAN), CAST($7 AS INTEGER),
       CAST($8 AS TIMESTAMPTZ)`,
    [...keys, hashes, run.id, how.via, how.seed, how.hop, how.fetchedAt],
  );
  await db.run("INSERT INTO temp.touched_records SELECT unnest($1), unnest($2)", keys);
}

async function countOf({ db }: Change): Promise<number> {
  return (await db.row<{ n: number }>("SELECT count(*) AS n FROM records"))?.n ?? 0;
}
