import { collectGarbage } from "../../platform/index.ts";
import type { Via, Work } from "../model.ts";
import type { Change } from "./changing.ts";
import type { Value } from "./database.ts";
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

const batchRows = 5000;

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
  let isLarge = false;
  // The database stores one batch while the next is being read.
  let storing: Promise<void> = Promise.resolve();
  try {
    for await (const work of works) {
      const record = recordOf(work);
      batch.push(record);
      if (record.cut.length > 0) cut += 1;
      if (work.decision !== undefined || work.note !== undefined)
        decided.push({
          paper: record.ownId,
          kind: "import",
          ...(work.decision !== undefined && { decision: work.decision }),
          ...(work.note !== undefined && { note: work.note }),
        });
      if (batch.length === batchRows) {
        await storing;
        if (!isLarge) await change.db.oneThread();
        isLarge = true;
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
  if (batch.length > 0) await flush(batch, decided);
  if (isLarge) {
    // What follows has the cores to itself, and needs the memory in which works were read.
    collectGarbage();
    await change.db.allThreads();
  }
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
  const distinct = new Map(records.map((one) => [`${one.source} ${one.sourceKey} ${one.hash}`, one]));
  // Made anew for each batch: rows deleted inside a transaction keep their memory until its end.
  await db.run(
    "CREATE OR REPLACE TEMP TABLE staged (source VARCHAR, source_key VARCHAR, row_hash VARCHAR, own_id VARCHAR, json VARCHAR)",
  );
  await db.append(
    "temp.staged",
    ["source", "source_key", "row_hash", "own_id", "json"],
    [...distinct.values()].map((one): Value[] => [one.source, one.sourceKey, one.hash, one.ownId, one.json]),
  );
  await db.run(
    `INSERT INTO records BY NAME
     SELECT source, source_key, row_hash, own_id, unnest(json_transform(json, '${shape}')) FROM temp.staged s
     WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.source = s.source AND r.source_key = s.source_key
       AND r.row_hash = s.row_hash)`,
  );
  await db.run(
    `INSERT INTO sightings SELECT source, source_key, row_hash, ?, ?, CAST(? AS BOOLEAN), CAST(? AS INTEGER),
       CAST(? AS TIMESTAMPTZ) FROM temp.staged`,
    [run.id, how.via, how.seed, how.hop, how.fetchedAt],
  );
  await db.run(
    "INSERT INTO temp.touched_records SELECT source, source_key FROM temp.staged; DROP TABLE temp.staged",
  );
}

async function countOf({ db }: Change): Promise<number> {
  return (await db.row<{ n: number }>("SELECT count(*) AS n FROM records"))?.n ?? 0;
}
