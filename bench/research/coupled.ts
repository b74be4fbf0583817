import { join } from "node:path";
import { Database, type Value } from "../../packages/writ/src/research/library/database.ts";
import { createTables } from "../../packages/writ/src/research/library/schema.ts";
import { measureDuckDb } from "../support/bare-duckdb.ts";
import { type Measured, measureWrit } from "../support/measured.ts";
import { type Bed, makeBed } from "./bed.ts";

/** Papers with references drawn by chance; the same numbers each time. */
export interface Shape {
  papers: number;
  references: number;
  /** How many works references are drawn from. */
  works: number;
  /** 1 draws all alike, 3 draws few of them most of the time. */
  skew?: number;
}

/** A workspace whose library holds such papers, and nothing else. */
export async function coupledLibrary(shape: Shape): Promise<Bed> {
  const bed = makeBed();
  const db = await Database.open({ file: bed.library });
  await createTables(db, new Date(0));
  const columns = ["id", "source_id", "title", "year", "is_seed", "curation_status", "references_id"];
  await db.append("papers", [...columns, "first_run", "last_run", "row_hash", "active"], papersOf(shape));
  await db.run("INSERT INTO external_ids SELECT 'openalex', source_id, id FROM papers; CHECKPOINT");
  db.close();
  return bed;
}

function* papersOf({ papers, references, works, skew = 1 }: Shape): Generator<Value[]> {
  let state = 42;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let at = 0; at < papers; at += 1) {
    const cited = new Set<string>();
    for (let k = 0; k < references; k += 1) cited.add(`W${9_000_000 + Math.floor(works * next() ** skew)}`);
    const id = `src:${at.toString(16).padStart(16, "0")}`;
    yield [
      id,
      `W${at}`,
      `Paper ${at}`,
      1990 + (at % 35),
      true,
      "candidate",
      [...cited],
      "rr_1",
      "rr_1",
      "0",
      true,
    ];
  }
}

/** `writ research build` of coupling with these flags, and what it answered. */
export const runBuild = (flags: readonly string[], bed: Bed) =>
  measureWrit(["research", "build", "--networks", "bibliographic_coupling", ...flags], bed);

/** What somebody would write who has DuckDB and nothing else: the same pairs, from the same table, into a file. */
export const runBareJoin = (bed: Bed, minWeight = 1): Promise<Measured> =>
  measureDuckDb(bed, {
    file: bed.library,
    statements: [
      "CREATE TEMP TABLE cites AS SELECT id, unnest(references_id) AS ref FROM papers",
      `COPY (SELECT a.id AS source, b.id AS target, count(*) AS weight FROM cites a JOIN cites b
       ON a.ref = b.ref AND a.id < b.id GROUP BY ALL HAVING count(*) >= ${minWeight} ORDER BY source, target)
       TO '${join(bed.cwd, "bare.parquet")}' (FORMAT parquet, COMPRESSION zstd)`,
    ],
  });
