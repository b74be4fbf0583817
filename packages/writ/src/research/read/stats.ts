import { type Context, fail } from "../../contract/index.ts";
import type { Database } from "../library/database.ts";
import { readLibrary } from "../library/use.ts";
import { drill } from "./drill.ts";

const groupWords = [
  "status",
  "year",
  "decade",
  "is_seed",
  "language",
  "type",
  "source",
  "venue",
  "community",
  "run",
] as const;
type GroupWord = (typeof groupWords)[number];

const keys: Readonly<Record<Exclude<GroupWord, "community" | "run" | "source">, string>> = {
  status: "curation_status",
  year: "year",
  decade: "CAST(floor(year / 10) * 10 AS INTEGER)",
  is_seed: "is_seed",
  language: "language",
  type: "type",
  venue: "source",
};

interface Stats {
  group_by: GroupWord;
  total: number;
  groups: { key: string | number | boolean | null; count: number }[];
  network?: string;
}

/** How many active papers there are of each kind. A paper that several sources or runs tell of counts for each. */
export async function countPapers(ctx: Context, by: string, network: string | undefined): Promise<Stats> {
  const word = groupWords.find((one) => one === by);
  if (!word) throw unknown(by);
  return readLibrary(ctx, async (db) => {
    const total = await db.row<{ n: number }>("SELECT count(*) AS n FROM papers WHERE active");
    const name = word === "community" ? (network ?? "bibliographic_coupling") : undefined;
    return {
      group_by: word,
      total: total?.n ?? 0,
      groups: name === undefined ? await groups(db, word) : await communities(ctx, db, name),
      ...(name !== undefined && { network: name }),
    };
  });
}

function groups(db: Database, word: GroupWord): Promise<Stats["groups"]> {
  if (word === "run")
    return db.rows(
      `SELECT s.run_id AS key, count(DISTINCT p.paper_id) AS count FROM record_papers p
       JOIN sightings s USING (source, source_key) JOIN runs r USING (run_id) WHERE r.revoked_by IS NULL
       GROUP BY 1 ORDER BY 1`,
    );
  if (word === "source")
    return db.rows(
      "SELECT source AS key, count(DISTINCT paper_id) AS count FROM record_papers GROUP BY 1 ORDER BY 1",
    );
  const key = keys[word as keyof typeof keys];
  return db.rows(
    `SELECT ${key} AS key, count(*) AS count FROM papers WHERE active GROUP BY 1 ORDER BY 1 NULLS LAST`,
  );
}

async function communities(ctx: Context, db: Database, network: string): Promise<Stats["groups"]> {
  const drilled = await drill(ctx, db, { network, edge: [] });
  return db.rows(
    "SELECT community AS key, count(*) AS count FROM read_parquet(?) GROUP BY 1 ORDER BY 1 NULLS LAST",
    [drilled?.nodes ?? ""],
  );
}

function unknown(by: string) {
  return fail("USAGE_ERROR", {
    message: `Papers cannot be grouped by "${by.slice(0, 80)}".`,
    cause: `They can by ${groupWords.join(", ")}.`,
    remediation: "Choose one: writ research read stats --group-by year",
    details: { unknown: by.slice(0, 80), allowed: [...groupWords] },
  });
}
