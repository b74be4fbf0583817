import { personOf } from "../formats/person.ts";
import { authorNode } from "../library/authors.ts";
import type { Database, Value } from "../library/database.ts";
import { normaliseText } from "../library/identity.ts";
import { mergedInto } from "../networks/merged.ts";
import type { EntityKind } from "./proposal.ts";
import { sortedTokens, tokensOf } from "./similarity.ts";

/** One author, institution or keyword: a node of networks with its usual name. */
export interface Entity {
  node: string;
  name: string;
  /** The name, normalised. */
  text: string;
  /** Known by somebody's id, not by its name. */
  opaque: boolean;
  papers: number;
}

const scope = "papers WHERE active AND curation_status <> 'rejected'";

const mentions: Readonly<Record<EntityKind, string>> = {
  // Papers of corpora have author ids without their names: nothing to compare.
  author: `
    SELECT id, one.name AS name, one.openalex AS openalex, one.orcid AS orcid
    FROM (SELECT id, unnest(authorships) AS one FROM ${scope})
    UNION ALL SELECT id, unnest(authors_raw), NULL, NULL FROM ${scope} AND authorships IS NULL AND authors_id IS NULL`,
  institution: `
    SELECT id, unnest(institutions_raw) AS name, unnest(institutions_id) AS openalex, NULL AS orcid
    FROM ${scope} AND len(institutions_raw) = len(institutions_id)`,
  keyword: `
    SELECT id, unnest(keywords_raw) AS name, unnest(coalesce(keywords_id, list_transform(keywords_raw, lambda k: NULL))) AS openalex,
      NULL AS orcid FROM ${scope}`,
};

/**
 * The entities of a kind by node, and `dup_mention(id, node)`, which papers they are on. What was merged into another
 * is that other.
 */
export async function entitiesOf(db: Database, kind: EntityKind): Promise<Entity[]> {
  const nodeOf = await namer(db, kind);
  await db.run(`CREATE OR REPLACE TEMP TABLE dup_told AS ${mentions[kind]};
    CREATE OR REPLACE TEMP TABLE dup_node (name VARCHAR, openalex VARCHAR, orcid VARCHAR, node VARCHAR, opaque BOOLEAN)`);
  await db.append("temp.dup_node", ["name", "openalex", "orcid", "node", "opaque"], nodes(db, nodeOf));
  await db.run(`CREATE OR REPLACE TEMP TABLE dup_mention AS
    SELECT DISTINCT id, node, t.name, opaque FROM dup_told t JOIN dup_node k ON t.name = k.name
      AND t.openalex IS NOT DISTINCT FROM k.openalex AND t.orcid IS NOT DISTINCT FROM k.orcid`);
  const entities: Entity[] = [];
  for await (const rows of db.stream<Omit<Entity, "text">>(`
    SELECT node, arg_min(name, {n: -n, name: name}) AS name, bool_or(opaque) AS opaque, CAST(sum(n) AS INTEGER) AS papers
    FROM (SELECT node, name, bool_or(opaque) AS opaque, count(*) AS n FROM dup_mention GROUP BY node, name)
    GROUP BY node ORDER BY node`)) {
    for (const row of rows) entities.push({ ...row, text: normaliseText(row.name) });
  }
  return entities;
}

interface Told {
  name: string;
  openalex: string | null;
  orcid: string | null;
}

async function* nodes(db: Database, nodeOf: (told: Told) => Value[]): AsyncGenerator<Value[]> {
  const distinct = db.stream<Told>("SELECT DISTINCT name, openalex, orcid FROM dup_told WHERE name <> ''");
  for await (const rows of distinct) {
    for (const row of rows) yield [row.name, row.openalex, row.orcid, ...nodeOf(row)];
  }
}

/** Gives each mention its node, and whether that is an id. */
async function namer(db: Database, kind: EntityKind): Promise<(told: Told) => Value[]> {
  const merged = await mergedInto(db, kind);
  const final = (node: string) => merged.get(node) ?? node;
  if (kind !== "author") {
    return ({ name, openalex }) => [final(openalex ?? normaliseText(name)), openalex !== null];
  }
  const known = await db.rows<{ orcid: string; openalex: string }>(`
    SELECT lower(one.orcid) AS orcid, min(lower(one.openalex)) AS openalex
    FROM (SELECT unnest(authorships) AS one FROM papers WHERE active)
    WHERE one.orcid IS NOT NULL AND one.openalex IS NOT NULL GROUP BY ALL`);
  const byOrcid = new Map(known.map(({ orcid, openalex }) => [orcid, openalex]));
  return (told) => [final(authorNode(told, byOrcid)), told.openalex !== null || told.orcid !== null];
}

/** The words of a name, however it is written: `Diaz, C. M.` and `C.M. Diaz` have the same. */
export function bagOf(text: string): string {
  return sortedTokens(text.replaceAll(/[.,;]+/g, " "));
}

/** The blocks an entity is compared in. */
export function keysOf(kind: EntityKind, { name, text }: Entity): string[] {
  switch (kind) {
    case "author": {
      const { family, given } = personOf(name);
      const initial = normaliseText(given ?? "")[0] ?? "";
      return [`${normaliseText(family).slice(0, 4)}|${initial}`];
    }
    case "institution": {
      const starts = [...new Set(tokensOf(text).map((token) => token.slice(0, 4)))].toSorted().slice(0, 20);
      if (starts.length < 2) return starts;
      return starts.flatMap((one, at) => starts.slice(at + 1).map((other) => `${one}|${other}`));
    }
    case "keyword":
      return tokensOf(text).map((token) => token.slice(0, 4));
  }
}

/** Given names in order, normalised, without punctuation. */
export function givenNames(name: string): string[] {
  return tokensOf(normaliseText(personOf(name).given ?? "").replaceAll(/[.,;]+/g, " "));
}
