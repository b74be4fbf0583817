import type { Database, Value } from "../library/database.ts";
import { normaliseText } from "../library/identity.ts";
import { mergedInto } from "./merged.ts";
import type { ActiveThesaurus } from "./thesaurus.ts";

/** Set before a text that is a name, not an id: no id begins so. */
const name = "'n/'";

/** Which paper has which author: an id in lower case, or a name. Papers of corpora know ids only. */
export const authorMentions = `
  SELECT paper, CASE WHEN one.openalex IS NOT NULL THEN lower(one.openalex)
    WHEN one.orcid IS NOT NULL THEN lower(one.orcid) ELSE ${name} || one.name END AS value
  FROM (SELECT n AS paper, unnest(authorships) AS one FROM net_papers JOIN papers USING (id))
  UNION ALL
  SELECT n AS paper, unnest(CASE WHEN authors_id IS NOT NULL THEN list_transform(authors_id, lambda one: lower(one))
    ELSE list_transform(authors_raw, lambda one: ${name} || one) END) AS value
  FROM net_papers JOIN papers USING (id) WHERE authorships IS NULL`;

export const institutionMentions =
  "SELECT n AS paper, unnest(institutions_id) AS value FROM net_papers JOIN papers USING (id)";

export const countryMentions =
  "SELECT n AS paper, unnest(countries) AS value FROM net_papers JOIN papers USING (id)";

export const citerMentions =
  "SELECT n AS paper, unnest(cited_by_id) AS value FROM net_papers JOIN papers USING (id)";

/** Which paper has which keyword: its id, else its text; under a thesaurus always its text. */
export function keywordMentions(thesaurus: boolean): string {
  if (thesaurus)
    return `SELECT n AS paper, ${name} || unnest(keywords_raw) AS value FROM net_papers JOIN papers USING (id)`;
  return `
    SELECT paper, coalesce(id, ${name} || raw) AS value
    FROM (SELECT n AS paper, unnest(keywords_id) AS id, unnest(keywords_raw) AS raw FROM net_papers JOIN papers USING (id))`;
}

/** Ids stand for themselves. */
export async function nameAsTold(db: Database): Promise<void> {
  await db.run("CREATE OR REPLACE TEMP TABLE net_names AS SELECT DISTINCT value, value AS id FROM net_raw");
}

/** The node of each author: the OpenAlex id, also by way of an ORCID that the library knows it for; ORCID; name. */
export async function nameAuthors(db: Database): Promise<void> {
  await normaliseNames(db, new Map());
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_names AS
    WITH known AS (
      SELECT lower(one.orcid) AS orcid, min(lower(one.openalex)) AS openalex
      FROM (SELECT unnest(authorships) AS one FROM papers WHERE active)
      WHERE one.orcid IS NOT NULL AND one.openalex IS NOT NULL GROUP BY ALL
    )
    SELECT value, coalesce(net_texts.text, known.openalex, value) AS id
    FROM (SELECT DISTINCT value FROM net_raw) LEFT JOIN net_texts USING (value) LEFT JOIN known ON known.orcid = value`);
  await applyMerges(db, "author");
}

export async function nameInstitutions(db: Database): Promise<void> {
  await nameAsTold(db);
  await applyMerges(db, "institution");
}

/** The node of each keyword: its id or normalised text; under a thesaurus the canon of its text, else the text. */
export async function nameKeywords(db: Database, thesaurus: ActiveThesaurus | undefined): Promise<void> {
  await normaliseNames(db, thesaurus?.canons ?? new Map());
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_names AS
    SELECT value, coalesce(text, value) AS id FROM (SELECT DISTINCT value FROM net_raw) LEFT JOIN net_texts USING (value)`);
  await applyMerges(db, "keyword");
  await db.run(
    "UPDATE net_names SET own = false FROM net_texts t WHERE t.value = net_names.value AND NOT t.own",
  );
}

/** The normalised text of each name in `net_raw`, or what it stands for. SQL has no such function that agrees with ours. */
async function normaliseNames(db: Database, canons: ReadonlyMap<string, string>): Promise<void> {
  await db.run("CREATE OR REPLACE TEMP TABLE net_texts (value VARCHAR, text VARCHAR, own BOOLEAN)");
  const names = db.stream<{ value: string }>(
    `SELECT DISTINCT value FROM net_raw WHERE starts_with(value, ${name})`,
  );
  const rows: Value[][] = [];
  for await (const chunk of names) {
    for (const { value } of chunk) {
      const text = normaliseText(value.slice(2));
      const canon = canons.get(text) ?? text;
      rows.push([value, canon, normaliseText(canon) === text]);
    }
  }
  await db.append("temp.net_texts", ["value", "text", "own"], rows);
}

/** Puts what people have merged under the key they kept. `own` tells the names of a key from those of what was merged into it. */
async function applyMerges(db: Database, kind: "author" | "institution" | "keyword"): Promise<void> {
  const merged = await mergedInto(db, kind);
  await db.run("CREATE OR REPLACE TEMP TABLE net_merges (alias VARCHAR, canon VARCHAR)");
  await db.append("temp.net_merges", ["alias", "canon"], merged.entries());
  await db.run(`
    CREATE OR REPLACE TEMP TABLE net_names AS
    SELECT value, coalesce(canon, id) AS id, canon IS NULL AS own FROM net_names LEFT JOIN net_merges ON alias = id`);
}
