import type { FakeWork } from "./works.ts";

const address = "https://openalex.org";

/** A work as the service writes it, with the fields that were asked for. */
export function writeWork(work: FakeWork, select: readonly string[] | undefined): Record<string, unknown> {
  const { id, title, venue } = work;
  const year = work.year ?? (work.date === undefined ? null : Number(work.date.slice(0, 4)));
  const whole: Record<string, unknown> = {
    id: `${address}/${id}`,
    doi: work.doi ?? null,
    title,
    display_name: title,
    publication_year: year,
    publication_date: dateOf(work),
    language: work.language ?? null,
    type: work.type ?? "article",
    ...(work.cited !== undefined && { cited_by_count: work.cited }),
    is_retracted: false,
    abstract_inverted_index: work.abstract ?? null,
    authorships: (work.authors ?? []).map(({ id: author, name, orcid, institution }) => ({
      author: {
        id: `${address}/${author}`,
        display_name: name,
        orcid: orcid === undefined ? null : `https://orcid.org/${orcid}`,
      },
      institutions: institution
        ? [
            {
              id: `${address}/${institution.id}`,
              display_name: institution.name,
              country_code: institution.country,
              ror: null,
            },
          ]
        : [],
    })),
    keywords: (work.keywords ?? []).map((slug) => ({
      id: `${address}/keywords/${slug}`,
      display_name: slug.replaceAll("-", " "),
      score: 0.5,
    })),
    referenced_works: (work.references ?? []).map((one) => `${address}/${one}`),
    primary_location: venue === undefined || venue === null ? null : { source: { display_name: venue } },
    biblio: { volume: null, issue: null, first_page: null, last_page: null },
    ids: { openalex: `${address}/${id}` },
  };
  if (!select) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => select.includes(name)));
}

/** The day of publication; a year alone is its first day, as the service has it. */
export function dateOf({ date, year }: FakeWork): string | null {
  return date ?? (year === undefined ? null : `${year}-01-01`);
}
