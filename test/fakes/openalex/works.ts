/** The fixtures of the acceptance cases, as OpenAlex would tell them. */

/** A work as the service answers it, with what it can be searched for. */
export interface FakeWork {
  id: string;
  doi?: string | null;
  title: string | null;
  abstract?: Record<string, number[]>;
  date?: string;
  year?: number;
  language?: string;
  type?: string;
  cited?: number;
  venue?: string | null;
  authors?: { id: string; name: string; orcid?: string; institution?: Institution }[];
  /** Slugs; their names have spaces. */
  keywords?: string[];
  references?: string[];
  /** Ids that were merged into this one. */
  formerly?: string[];
}

interface Institution {
  id: string;
  name: string;
  country: string;
}

const north = { id: "I1", name: "Uni North", country: "AR" };
const south = { id: "I2", name: "Inst South", country: "CL" };
const east = { id: "I3", name: "Lab East", country: "BR" };
const solo = { id: "I4", name: "Solo Org", country: "ES" };
const ana = { id: "A1", name: "Ana Ruiz", institution: north };
const bo = { id: "A2", name: "Bo Chen", institution: south };
const carla = { id: "A3", name: "Carla Diaz", institution: east };
const dan = { id: "A4", name: "Dan Eto", institution: solo };
const eva = { id: "A5", name: "Eva Fink" };
const tests = { venue: "J. Tests", type: "article", language: "en" };

export const alpha: FakeWork[] = [
  {
    ...tests,
    id: "W101",
    doi: "https://doi.org/10.5555/A1",
    title: "Alpha methods",
    abstract: { Zeta: [1], Alpha: [0] },
    date: "2019-06-01",
    cited: 12,
    authors: [ana, bo],
    keywords: ["alpha-method", "graph-theory"],
    references: ["W901", "W902", "W903"],
  },
  {
    ...tests,
    id: "W102",
    doi: "https://doi.org/10.5555/a2",
    title: "Alpha networks",
    date: "2020-06-01",
    cited: 5,
    authors: [bo, carla],
    keywords: ["graph-theory", "network"],
    references: ["W902", "W903", "W904"],
  },
  {
    ...tests,
    id: "W103",
    title: "Alpha review",
    date: "2021-06-01",
    language: "en-US",
    type: "review",
    cited: 2,
    authors: [carla, ana, { id: "A2", name: "Bo Chen" }],
    keywords: ["alpha-method", "network", "graph-theory"],
    references: ["W903", "W905"],
  },
  {
    ...tests,
    id: "W104",
    doi: "https://doi.org/10.5555/a4",
    title: "Alpha outlier",
    date: "2008-06-01",
    language: "es",
    cited: 0,
    authors: [dan],
    keywords: ["outlier"],
    references: ["W999"],
  },
  citer("W201", {
    doi: "10.5555/c1",
    title: "Citer one",
    date: "2022-06-01",
    references: ["W101", "W102", "W902"],
  }),
  citer("W202", {
    doi: "10.5555/c2",
    title: "Citer two",
    date: "2023-06-01",
    references: ["W101", "W102", "W103"],
  }),
  citer("W203", { title: "Citer three", date: "2024-06-01", references: ["W103"] }),
  citer("W204", { doi: "10.5555/c4", title: "Citer four", date: "2015-06-01", references: ["W104"] }),
  { ...tests, id: "W902", doi: "https://doi.org/10.5555/r2", title: "Ref two", year: 2001 },
  { ...tests, id: "W903", doi: "https://doi.org/10.5555/r3", title: "Ref three", year: 2002 },
];

/** What arrives later: dated `on`, citing W101. */
export const laterCiter = (on: string): FakeWork =>
  citer("W205", { title: "Citer five", date: on, references: ["W101"] });

function citer(
  id: string,
  { doi, ...more }: Pick<FakeWork, "title" | "date" | "references"> & { doi?: string },
): FakeWork {
  const known = doi === undefined ? {} : { doi: `https://doi.org/${doi}` };
  return { ...tests, id, ...known, ...more, authors: [eva], keywords: ["network"] };
}

export const bridge: FakeWork[] = [
  [["801"], 2011],
  [["801"], 2012],
  [["801", "803"], 2013],
  [["802", "803"], 2014],
  [["802"], 2015],
  [["802"], 2016],
].map(([references, year], at) => ({
  id: `W${301 + at}`,
  doi: `https://doi.org/10.7777/p${at + 1}`,
  title: `Bridge ${at + 1}`,
  year: year as number,
  keywords: [`k${at + 1}`],
  references: (references as string[]).map((one) => `W${one}`),
}));

export const bulk: FakeWork[] = Array.from({ length: 250 }, (_, at) => ({
  id: `W${1001 + at}`,
  title: `Bulk work ${at + 1}`,
  year: 2020,
  references: [`W${5000 + ((at + 1) % 230)}`, "W6000"],
}));

export const traps: FakeWork[] = [
  { id: "W401", doi: "10.7777/p1", title: "Trap of names", year: 2019, venue: "J. Traps" },
  { id: "W401", doi: "https://doi.org/10.7777/P1", title: "Trap of names", year: 2019, venue: "J. Traps" },
  { id: "W403", title: "Trap of names", year: 2019 },
  { id: "W404", doi: "https://doi.org/10.7777/p4", title: "Trap, über ácentos", year: 2018 },
  { id: "W405", title: null, abstract: { trap: [0] }, year: 2017 },
  { id: "W406", title: "Trap without parts", venue: null, authors: [], year: 2016 },
];

export const paths: FakeWork[] = [
  { id: "W501", title: "Pathone first", year: 2001, language: "en", references: ["W831"] },
  { id: "W502", title: "Pathone second", year: 2002, language: "en", references: ["W831", "W832"] },
  { id: "W503", title: "Pathone third", year: 2003, language: "es", references: ["W832"] },
  { id: "W511", title: "Pathtwo first", year: 2001, references: ["W841"] },
  { id: "W512", title: "Pathtwo second", year: 2002, references: ["W841", "W842"] },
  { id: "W513", title: "Pathtwo third", year: 2003, references: ["W842", "W843"] },
  { id: "W514", title: "Pathtwo fourth", year: 2004, references: ["W843"] },
];

/** A work that only its DOI finds. */
export const resolvable: FakeWork[] = [
  { id: "W700", doi: "https://doi.org/10.7777/x.1", title: "A study of things", year: 2020, type: "article" },
];
