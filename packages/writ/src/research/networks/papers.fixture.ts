import { Database, type Value } from "../library/database.ts";
import { paperId } from "../library/identity.ts";
import { createTables } from "../library/schema.ts";
import type { Authorship, CurationStatus, OtherReference } from "../model.ts";
import { listsOf } from "../library/authors.ts";

/** A paper as a test writes it down; what is not said is unknown. */
export interface PaperFixture {
  sourceId?: string;
  doi?: string;
  title?: string;
  year?: number;
  language?: string;
  references?: string[];
  otherReferences?: OtherReference[];
  citedBy?: string[];
  authors?: Partial<Authorship>[];
  keywords?: { id?: string; raw: string }[];
  seed?: boolean;
  status?: CurationStatus;
  citedByCount?: number;
}

/** A library in memory that holds these papers, as a fold would have written them. */
export async function libraryOf(papers: readonly PaperFixture[]): Promise<Database> {
  const db = await Database.open({ file: ":memory:" });
  await createTables(db, new Date(0));
  await fill(db, papers);
  return db;
}

/** The same in a library that was made before: opening one takes longer than filling it. */
export async function refill(db: Database, papers: readonly PaperFixture[]): Promise<Database> {
  await db.run(
    "DELETE FROM papers; DELETE FROM external_ids; DELETE FROM runs; DELETE FROM ref_dois; DELETE FROM entity_map",
  );
  await fill(db, papers);
  return db;
}

const columns = [
  "id",
  "source_id",
  "doi",
  "title",
  "year",
  "language",
  "is_seed",
  "curation_status",
  "authorships",
  "authors_raw",
  "authors_id",
  "institutions_raw",
  "institutions_id",
  "countries",
  "keywords_raw",
  "keywords_id",
  "references_id",
  "refs_other",
  "cited_by_id",
  "cited_by_count",
  "first_run",
  "last_run",
  "row_hash",
  "active",
] as const;

export async function fill(db: Database, papers: readonly PaperFixture[]): Promise<void> {
  const rows = papers.map(rowOf);
  await db.append(
    "papers",
    columns,
    rows.map((row) => columns.map((name) => row[name] ?? null)),
  );
  const ids = rows.flatMap((row): Value[][] => [
    ...(row.source_id ? [["openalex", row.source_id, row.id as Value]] : []),
    ...(row.doi ? [["doi", row.doi, row.id as Value]] : []),
  ]);
  await db.append("external_ids", ["engine", "value", "paper_id"], ids);
}

function rowOf(paper: PaperFixture): Record<string, Value> {
  const { sourceId = null, doi = null, title = sourceId ?? doi ?? "Untitled", year = null } = paper;
  const authorships = paper.authors?.map(
    (one, pos): Authorship => ({
      pos,
      name: "",
      id: null,
      openalex: null,
      orcid: null,
      institutions: [],
      ...one,
    }),
  );
  const { authors_affiliations: _, ...lists } = listsOf(authorships ?? []);
  return {
    id: paperId({ doi, sourceId, title, year }),
    source_id: sourceId,
    doi,
    title,
    year,
    language: paper.language ?? null,
    is_seed: paper.seed ?? true,
    curation_status: paper.status ?? "candidate",
    authorships: (authorships as unknown as Value) ?? null,
    ...lists,
    keywords_raw: paper.keywords?.map(({ raw }) => raw) ?? null,
    keywords_id: paper.keywords?.some(({ id }) => id !== undefined)
      ? paper.keywords.map(({ id, raw }) => id ?? raw)
      : null,
    references_id: paper.references ?? null,
    refs_other: (paper.otherReferences as unknown as Value) ?? null,
    cited_by_id: paper.citedBy ?? null,
    cited_by_count: paper.citedByCount ?? null,
    first_run: "rr_1",
    last_run: "rr_1",
    row_hash: "0",
    active: true,
  };
}

const person = (
  id: string,
  name: string,
  ...institutions: [string, string, string][]
): Partial<Authorship> => ({
  openalex: id,
  id: id.toLowerCase(),
  name,
  institutions: institutions.map(([one, called, country]) => ({ id: one, name: called, ror: null, country })),
});
const north: [string, string, string] = ["I1", "Uni North", "AR"];
const south: [string, string, string] = ["I2", "Inst South", "CL"];
const east: [string, string, string] = ["I3", "Lab East", "BR"];
const slug = (...slugs: string[]) => slugs.map((id) => ({ id, raw: id.replaceAll("-", " ") }));

/** Four papers that share authors, institutions, keywords and references. */
export const alpha: readonly PaperFixture[] = [
  {
    sourceId: "W101",
    doi: "10.5555/a1",
    title: "Alpha methods",
    year: 2019,
    language: "en",
    citedByCount: 12,
    authors: [person("A1", "Ana Ruiz", north), person("A2", "Bo Chen", south)],
    keywords: slug("alpha-method", "graph-theory"),
    references: ["W901", "W902", "W903"],
  },
  {
    sourceId: "W102",
    doi: "10.5555/a2",
    title: "Alpha networks",
    year: 2020,
    language: "en",
    citedByCount: 5,
    authors: [person("A2", "Bo Chen", south), person("A3", "Carla Diaz", east)],
    keywords: slug("graph-theory", "network"),
    references: ["W902", "W903", "W904"],
  },
  {
    sourceId: "W103",
    title: "Alpha review",
    year: 2021,
    language: "en",
    citedByCount: 2,
    authors: [person("A3", "Carla Diaz", east), person("A1", "Ana Ruiz", north), person("A2", "Bo Chen")],
    keywords: slug("alpha-method", "network", "graph-theory"),
    references: ["W903", "W905"],
  },
  {
    sourceId: "W104",
    doi: "10.5555/a4",
    title: "Alpha outlier",
    year: 2008,
    language: "es",
    citedByCount: 0,
    authors: [person("A4", "Dan Eto", ["I4", "Solo Org", "ES"])],
    keywords: slug("outlier"),
    references: ["W999"],
  },
];

const eva = [person("A5", "Eva Fink")];
const citer = (paper: PaperFixture): PaperFixture => ({
  language: "en",
  authors: eva,
  keywords: slug("network"),
  seed: false,
  ...paper,
});

const citersOf: Readonly<Record<string, string[]>> = {
  W101: ["W201", "W202"],
  W102: ["W201", "W202"],
  W103: ["W202", "W203"],
  W104: ["W204"],
};

/** The same four and who cites them. */
export const cited: readonly PaperFixture[] = [
  ...alpha.map((paper) => ({ ...paper, citedBy: citersOf[paper.sourceId ?? ""] ?? [] })),
  citer({
    sourceId: "W201",
    doi: "10.5555/c1",
    title: "Citer one",
    year: 2022,
    references: ["W101", "W102", "W902"],
  }),
  citer({
    sourceId: "W202",
    doi: "10.5555/c2",
    title: "Citer two",
    year: 2023,
    references: ["W101", "W102", "W103"],
  }),
  citer({ sourceId: "W203", title: "Citer three", year: 2024, references: ["W103"] }),
  citer({ sourceId: "W204", doi: "10.5555/c4", title: "Citer four", year: 2015, references: ["W104"] }),
];

/** Two trios that one link holds together; no authors. */
export const bridge: readonly PaperFixture[] = [
  ["801"],
  ["801"],
  ["801", "803"],
  ["802", "803"],
  ["802"],
  ["802"],
].map((references, at) => ({
  sourceId: `W${301 + at}`,
  doi: `10.7777/p${1 + at}`,
  title: `Bridge ${1 + at}`,
  year: 2011 + at,
  keywords: [{ id: `k${1 + at}`, raw: `k${1 + at}` }],
  references: references.map((id) => `W${id}`),
}));
