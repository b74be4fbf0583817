import type { Context } from "../../../packages/writ/src/contract/index.ts";
import { type Change, commitLibrary } from "../../../packages/writ/src/research/library/change.ts";
import { libraryFiles } from "../../../packages/writ/src/research/library/file-store.ts";
import { type Ingest, ingest } from "../../../packages/writ/src/research/library/ingest.ts";
import type { Authorship, Work } from "../../../packages/writ/src/research/model.ts";
import { testContext } from "../../support/context.ts";

/** A work with nothing known of it but what is given. */
export function workOf(given: Partial<Work> & { title: string }): Work {
  return {
    source: "openalex",
    sourceKey: given.sourceId ?? given.title,
    sourceId: null,
    doi: null,
    ids: [],
    year: null,
    publicationDate: null,
    abstract: null,
    venue: null,
    language: null,
    publisher: null,
    researchAreas: [],
    type: null,
    citedByCount: null,
    isRetracted: null,
    authorships: [],
    keywords: [],
    references: [],
    otherReferences: [],
    volume: null,
    issue: null,
    pages: null,
    issn: null,
    url: null,
    ...given,
  };
}

const institutions = {
  I1: { name: "Uni North", country: "AR" },
  I2: { name: "Inst South", country: "CL" },
  I3: { name: "Lab East", country: "BR" },
  I4: { name: "Solo Org", country: "ES" },
} as const;

const people: Readonly<Record<string, string>> = {
  A1: "Ana Ruiz",
  A2: "Bo Chen",
  A3: "Carla Diaz",
  A4: "Dan Eto",
  A5: "Eva Fink",
};

function author(text: string, pos: number): Authorship {
  const [id = "", place] = text.split("@");
  const at = place as keyof typeof institutions | undefined;
  return {
    pos,
    name: people[id] ?? id,
    id: id.toLowerCase(),
    openalex: id,
    orcid: null,
    institutions: at ? [{ id: at, ror: null, ...institutions[at] }] : [],
  };
}

interface Alpha {
  id: string;
  doi?: string;
  title: string;
  date: string;
  lang?: string;
  authors?: string;
  keywords?: string;
  refs?: string;
  more?: Partial<Work>;
}

function alpha({ id, doi, title, date, lang, authors, keywords, refs, more }: Alpha): Work {
  const words = (text: string | undefined) => (text ? text.split(" ") : []);
  return workOf({
    sourceId: id,
    doi: doi ?? null,
    title,
    year: Number(date.slice(0, 4)),
    publicationDate: date.length > 4 ? date : null,
    language: lang ?? null,
    venue: "J. Tests",
    type: "article",
    authorships: words(authors).map(author),
    keywords: words(keywords).map((slug) => ({ id: slug, name: slug.replaceAll("-", " "), score: null })),
    references: words(refs),
    ...more,
  });
}

/** The works of the cases' first fixture: four seeds. */
export const alphaSeeds: readonly Work[] = [
  alpha({
    id: "W101",
    doi: "10.5555/a1",
    title: "Alpha methods",
    date: "2019-06-01",
    lang: "en",
    authors: "A1@I1 A2@I2",
    keywords: "alpha-method graph-theory",
    refs: "W901 W902 W903",
    more: { abstract: "Alpha Zeta", citedByCount: 12 },
  }),
  alpha({
    id: "W102",
    doi: "10.5555/a2",
    title: "Alpha networks",
    date: "2020-06-01",
    lang: "en",
    authors: "A2@I2 A3@I3",
    keywords: "graph-theory network",
    refs: "W902 W903 W904",
    more: { citedByCount: 5 },
  }),
  alpha({
    id: "W103",
    title: "Alpha review",
    date: "2021-06-01",
    lang: "en",
    authors: "A3@I3 A1@I1 A2",
    keywords: "alpha-method network graph-theory",
    refs: "W903 W905",
    more: { citedByCount: 2, type: "review" },
  }),
  alpha({
    id: "W104",
    doi: "10.5555/a4",
    title: "Alpha outlier",
    date: "2008-06-01",
    lang: "es",
    authors: "A4@I4",
    keywords: "outlier",
    refs: "W999",
    more: { citedByCount: 0 },
  }),
];

const citer = ({ id, doi, title, date, refs }: Alpha) =>
  alpha({
    id,
    title,
    date,
    lang: "en",
    authors: "A5",
    keywords: "network",
    ...(refs !== undefined && { refs }),
    ...(doi !== undefined && { doi }),
  });

/** Those that cite them. */
export const alphaCiters: readonly Work[] = [
  citer({ id: "W201", doi: "10.5555/c1", title: "Citer one", date: "2022-06-01", refs: "W101 W102 W902" }),
  citer({ id: "W202", doi: "10.5555/c2", title: "Citer two", date: "2023-06-01", refs: "W101 W102 W103" }),
  citer({ id: "W203", title: "Citer three", date: "2024-06-01", refs: "W103" }),
  citer({ id: "W204", doi: "10.5555/c4", title: "Citer four", date: "2015-06-01", refs: "W104" }),
];

/** Who cites whom among them. */
export const alphaCitations = alphaCiters.flatMap((one) =>
  one.references
    .filter((ref) => ref.startsWith("W10"))
    .map((cited) => ({ cited, citer: one.sourceId ?? "" })),
);

export const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

/** A folder's library as a test changes it. */
export function libraryIn(root: string) {
  const ctx = (): Context & ReturnType<typeof testContext> => testContext({ root, stores: [libraryFiles] });
  const change = async <T extends Record<string, unknown>>(
    verb: string,
    work: (change: Change) => Promise<T>,
    params: Record<string, unknown> = {},
  ) => {
    let runId = "";
    const made = await commitLibrary(ctx(), { verb, params, creates: true }, async (one) => {
      runId = one.run.id;
      return work(one);
    });
    return { ...made, runId };
  };
  const add = (works: readonly Work[], how: Partial<Ingest> = {}) =>
    change("seed", async (one) => {
      await ingest(one, works, { via: "search", seed: true, hop: 0, fetchedAt: at(0), ...how });
      return { ...(await one.fold()) };
    });
  return { ctx, change, add };
}
