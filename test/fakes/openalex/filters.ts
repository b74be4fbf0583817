import { matches, parseSearch } from "./search.ts";
import type { FakeWork } from "./works.ts";
import { dateOf } from "./write-work.ts";

/** What the service answers with status 400. */
export class Refused extends Error {}

type Test = (work: FakeWork) => boolean;

const listed = 100;

/** A `filter` parameter as the service reads it: clauses joined by commas, values by bars. */
export function readFilter(filter: string): Test {
  const tests = filter === "" ? [] : filter.split(",").map(readClause);
  return (work) => tests.every((test) => test(work));
}

function readClause(clause: string): Test {
  const colon = clause.indexOf(":");
  const name = colon === -1 ? clause : clause.slice(0, colon);
  const value = clause.slice(colon + 1);
  const search = /^(title_and_abstract|title|abstract)\.search(\.exact)?$/.exec(name);
  if (search) return readSearch(search[1] as Field, value, search[2] === undefined);
  const test = clauses[name];
  if (colon === -1 || !test) throw new Refused(`${name} is not a valid field`);
  const values = value.split("|");
  if (values.length > listed) throw new Refused(`Maximum number of values exceeded for ${name}`);
  const wanted = new Set(values.map((one) => one.toLowerCase()));
  return (work) => test(work, wanted, value);
}

type Field = "title" | "abstract" | "title_and_abstract";

function readSearch(field: Field, value: string, stemmed: boolean): Test {
  if (/[!|]/.test(value)) throw new Refused(`A search may not hold ! or |`);
  if (stemmed && /[*?]/.test(value)) throw new Refused("Wildcards need the exact field");
  let search: ReturnType<typeof parseSearch>;
  try {
    search = parseSearch(value);
  } catch (error) {
    throw new Refused(error instanceof Error ? error.message : "Invalid query");
  }
  return (work) => matches(search, { title: work.title, abstract: abstractOf(work) }, { field, stemmed });
}

function abstractOf({ abstract = {} }: FakeWork): string | null {
  const words: string[] = [];
  for (const [word, places] of Object.entries(abstract)) for (const place of places) words[place] = word;
  return words.length === 0 ? null : words.join(" ");
}

const bare = (doi: string) => doi.toLowerCase().replace(/^(https?:\/\/)?doi\.org\//, "");

const clauses: Record<string, (work: FakeWork, values: ReadonlySet<string>, whole: string) => boolean> = {
  openalex_id: ({ id }, values) => values.has(id.toLowerCase()),
  openalex: ({ id }, values) => values.has(id.toLowerCase()),
  "ids.openalex": ({ id }, values) => values.has(id.toLowerCase()),
  doi: ({ doi }, values) => typeof doi === "string" && [...values].some((one) => bare(one) === bare(doi)),
  cites: ({ references = [] }, values) => references.some((one) => values.has(one.toLowerCase())),
  language: ({ language }, values) => language !== undefined && values.has(language.toLowerCase()),
  type: ({ type = "article" }, values) => values.has(type),
  publication_year: (work, values) => values.has(String(dateOf(work)?.slice(0, 4))),
  from_publication_date: (work, _, day) => (dateOf(work) ?? "") >= day,
  to_publication_date: (work, _, day) => (dateOf(work) ?? "9999") <= day,
  "primary_location.source.issn": () => false,
};
