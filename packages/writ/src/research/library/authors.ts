import type { Authorship, Institution } from "../model.ts";
import { normaliseText } from "./identity.ts";

/** The columns that follow from who wrote a work; a list that would be empty is null. */
export interface AuthorLists {
  authors_raw: string[] | null;
  authors_id: string[] | null;
  authors_affiliations: string[] | null;
  institutions_raw: string[] | null;
  institutions_id: string[] | null;
  countries: string[] | null;
}

/** The author and institution columns of a record, each list in the order of the work. */
export function listsOf(authorships: readonly Authorship[]): AuthorLists {
  const institutions = distinctInstitutions(authorships);
  const places = authorships.flatMap((one) => one.institutions);
  return {
    authors_raw: filled(authorships.map(nameOf)),
    authors_id: authorships.some((one) => one.id !== null)
      ? filled(authorships.map((one) => one.id ?? normaliseText(one.name)))
      : null,
    authors_affiliations: filled(places.map((one) => `${one.name ?? "?"} (${one.country ?? "??"})`)),
    institutions_raw: filled(institutions.map((one) => one.name ?? keyOf(one))),
    // Sources that give names only say nothing of which institution it is.
    institutions_id: institutions.some((one) => one.id !== null || one.ror !== null)
      ? filled(institutions.map(keyOf))
      : null,
    countries: filled([...new Set(places.flatMap((one) => one.country ?? []))]),
  };
}

/** A nameless author's name is their id. */
function nameOf(author: Authorship): string {
  return author.name === "" ? (author.id ?? author.openalex ?? author.orcid ?? "") : author.name;
}

function distinctInstitutions(authorships: readonly Authorship[]): Institution[] {
  const seen = new Map<string, Institution>();
  for (const { institutions } of authorships)
    for (const one of institutions) {
      const key = keyOf(one);
      if (key !== "" && !seen.has(key)) seen.set(key, one);
    }
  return [...seen.values()];
}

function keyOf(institution: Institution): string {
  return institution.id ?? institution.ror ?? normaliseText(institution.name ?? "");
}

/**
 * The node of an author in networks: the OpenAlex id; the OpenAlex id that the library knows for that ORCID; the
 * ORCID; the normalised name. `known` maps an ORCID in lower case to an OpenAlex id.
 */
export function authorNode(
  author: Pick<Authorship, "name" | "openalex" | "orcid">,
  known: ReadonlyMap<string, string>,
): string {
  if (author.openalex) return author.openalex.toLowerCase();
  if (!author.orcid) return normaliseText(author.name);
  const orcid = author.orcid.toLowerCase();
  return (known.get(orcid) ?? orcid).toLowerCase();
}

function filled<T>(items: T[]): T[] | null {
  return items.length === 0 ? null : items;
}
