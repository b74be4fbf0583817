import { fail, nearest } from "../../contract/index.ts";

/** A field of a listed paper: how it is read from `p` (a row of papers), and what else that needs. */
interface Field {
  sql: string;
  needs?: "scent" | "local" | "community";
}

const columns = [
  "id",
  "source_id",
  "doi",
  "title",
  "year",
  "abstract",
  "source",
  "language",
  "publisher",
  "research_areas",
  "is_seed",
  "curation_status",
  "authors_raw",
  "authors_id",
  "authors_affiliations",
  "keywords_raw",
  "keywords_id",
  "institutions_raw",
  "institutions_id",
  "references_id",
  "references_doi",
  "cited_by_id",
  "type",
  "cited_by_count",
  "is_retracted",
  "authorships",
  "keyword_scores",
  "countries",
  "refs_other",
  "volume",
  "issue",
  "pages",
  "issn",
  "url",
  "hop",
  "first_run",
  "last_run",
  "row_hash",
] as const;

/** Every field that may be asked for, by name. */
export const fields: Readonly<Record<string, Field>> = {
  ...Object.fromEntries(columns.map((name) => [name, { sql: `p.${name}` }])),
  publication_date: { sql: "CAST(p.publication_date AS VARCHAR)" },
  authors: { sql: "p.authors_raw" },
  venue: { sql: "p.source" },
  scent: { sql: "coalesce(s.scent, 0)", needs: "scent" },
  local_citations: { sql: "coalesce(l.n, 0)", needs: "local" },
  community: { sql: "c.community", needs: "community" },
};

const defaultFields = ["id", "title", "year", "curation_status", "is_seed"] as const;

/** The fields that were asked for; `all` are all of them. Throws USAGE_ERROR for an unknown one. */
export function fieldsOf(asked: readonly string[]): string[] {
  if (asked.length === 0) return [...defaultFields];
  const names = asked.flatMap((one) => one.split(",")).map((one) => one.trim());
  if (names.includes("all")) return Object.keys(fields);
  for (const name of names) if (!Object.hasOwn(fields, name)) throw unknown(name);
  return [...new Set(names)];
}

function unknown(name: string) {
  const allowed = [...Object.keys(fields), "all"];
  const near = nearest(name, allowed);
  return fail("USAGE_ERROR", {
    message: `A paper has no field "${name.slice(0, 80)}".`,
    cause: near ? `The nearest is ${near}.` : "None is near it.",
    remediation: "See all of them: writ research read list --fields all --limit 1",
    details: { unknown: name.slice(0, 80), ...(near && { nearest: near }), allowed },
  });
}
