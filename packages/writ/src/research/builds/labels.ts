import type { Database } from "../library/database.ts";
import { kinds } from "../networks/kinds.ts";
import type { NetworkSpec } from "../networks/spec.ts";

/** A paper's label: its title and year, 60 characters at most. `p` is the table. */
const paperLabel = (p: string): string => {
  const whole = `(${p}.title || coalesce(' (' || ${p}.year || ')', ''))`;
  return `CASE WHEN length(${whole}) > 60 THEN left(${whole}, 60) || '…' ELSE ${whole} END`;
};

// Lists of a corpus that was not ours may be sorted each on its own: which name goes with which id is not known there.
const paired =
  "id NOT IN (SELECT paper_id FROM record_papers WHERE source = 'corpus' AND paper_id NOT IN (SELECT paper_id FROM record_papers WHERE source <> 'corpus'))";

/** Which value of `net_raw` comes with which name. */
function namesOf(kind: NetworkSpec["kind"]): string | undefined {
  switch (kinds[kind].node) {
    case "author":
      return `SELECT coalesce(lower(one.openalex), lower(one.orcid), 'n/' || one.name) AS value, one.name AS name
        FROM (SELECT unnest(authorships) AS one FROM net_papers JOIN papers USING (id))
        UNION ALL SELECT 'n/' || name, name FROM (SELECT unnest(authors_raw) AS name FROM net_papers JOIN papers USING (id)
          WHERE authorships IS NULL AND authors_id IS NULL)`;
    case "institution":
      return `SELECT unnest(institutions_id) AS value, unnest(institutions_raw) AS name
        FROM net_papers JOIN papers USING (id) WHERE ${paired}`;
    case "keyword":
      return `SELECT coalesce(id, 'n/' || raw) AS value, raw AS name FROM (
          SELECT unnest(keywords_id) AS id, unnest(keywords_raw) AS raw FROM net_papers JOIN papers USING (id) WHERE ${paired})`;
    case "paper":
    case "reference":
    case "country":
      return undefined;
  }
}

/**
 * The label of each node, `net_labels(n, label)`: of an author, institution or keyword the name that is told most often
 * with it, ties in alphabetical order; of a paper its title. A node that is missing there is labelled by its id. Names of
 * what was merged into a node come after its own, and what a thesaurus replaces is no name of a keyword at all.
 */
export async function labelNodes(db: Database, { kind }: NetworkSpec): Promise<void> {
  const names = namesOf(kind);
  const { node } = kinds[kind];
  if (names !== undefined) {
    await db.run(`
      CREATE OR REPLACE TEMP TABLE net_labels AS
      SELECT n, first(name ORDER BY own DESC, told DESC, name) AS label FROM (
        SELECT net_nodes.n AS n, name, own, count(*) AS told
        FROM (${names}) named JOIN net_names USING (value) JOIN net_nodes ON net_nodes.id = net_names.id
        WHERE name IS NOT NULL AND name <> ''${node === "keyword" ? " AND own" : ""} GROUP BY ALL) GROUP BY n`);
    return;
  }
  const titled = node === "paper" || node === "reference";
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_labels AS
    SELECT n, ${titled ? paperLabel("papers") : "id"} AS label
    FROM net_nodes JOIN ${titled ? "papers USING (id)" : "(SELECT 1) ON true"}`);
}
