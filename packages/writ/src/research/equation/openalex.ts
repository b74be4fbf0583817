import type { Ast } from "./ast.ts";
import { exclusionsOf } from "./exclusions.ts";
import { type Finding, settle } from "./findings.ts";
import { added, flagItems, type FlagValues, flagValues } from "./flags.ts";
import {
  type Condition,
  conditionsOf,
  datesOf,
  openAlexDialect,
  printCondition,
} from "./openalex-dialect.ts";
import { printQuery, type Query, type Scope, termsOf } from "./query.ts";
import { type ReportItem, requireTerms } from "./report.ts";
import { resolve } from "./resolve.ts";
import { branchesOf, BRANCHES_MAX, type Clause, widened } from "./scopes.ts";
import { fitted, type Searching } from "./split.ts";
import type { Draft, TranslateOptions } from "./translation.ts";

// OpenAlex refuses URLs of more than 4,094 bytes; of 4,000, `select`, paging and the cursor take the rest.
const URL_BYTES = 3_400;

const fields: Readonly<Record<Scope, string>> = {
  both: "title_and_abstract.search",
  title: "title.search",
  abstract: "abstract.search",
};

/** An equation as filters of OpenAlex. Throws E_EQUATION_UNSUPPORTED where nothing is left to ask. */
export function translateOpenAlex(ast: Ast, options: TranslateOptions): Draft {
  const { exclude = [], urlBytes = URL_BYTES } = options;
  const flags = flagValues(options);
  const resolved = resolve(ast, openAlexDialect, exclude.length === 0);
  const excluded = exclusionsOf(exclude, openAlexDialect);
  const terms = resolved.query ? [...termsOf(resolved.query)] : [];
  const anyNegative = exclude.length > 0 || terms.some(({ positive }) => !positive);
  const items = settle(resolved.findings, anyNegative);
  requireTerms({
    positive: terms.some(({ positive }) => positive),
    restricted: resolved.restrictions.length > 0,
    items,
  });

  const branches = resolved.query ? branchesOf(resolved.query) : [[]];
  const clauses = branches ?? [
    [{ scope: "both", query: widened(resolved.query ?? { kind: "or", parts: [] }) }],
  ];
  const report = branches ? items : items.map((item, i) => widenedItem(item, resolved.findings[i]));
  const wild = [...terms.map(({ term }) => term), ...excluded.queries.flatMap(plain)].some(
    (term) => term.wild,
  );
  const restrictions = [...resolved.restrictions.flatMap(conditionsOf), ...flagConditions(flags)];
  const print = (searching: Searching): string =>
    printFilter(searching, { wild, excluded: excluded.queries });
  const searches = clauses.flatMap((branch) =>
    fitted({ clauses: branch, restrictions }, { print, limit: urlBytes }),
  );
  const filters = searches.map(print);
  return {
    requests: filters.map((filter) => ({ filter })),
    executedQuery: filters.join("\n"),
    report: [
      ...report,
      ...placed(excluded.items, clauses),
      ...flagItems(options, flags),
      ...splitItem(clauses.length, filters.length),
    ],
  };
}

function plain(query: Query): { wild: boolean }[] {
  return [...termsOf(query)].map(({ term }) => term);
}

// The one place that knows how the query is sent.
function printFilter(searching: Searching, { wild, excluded }: { wild: boolean; excluded: Query[] }): string {
  const { spelling } = openAlexDialect;
  const nots = excluded.map((query) => printQuery(query, spelling));
  const suffix = wild ? ".exact" : "";
  const at = Math.max(
    0,
    searching.clauses.findIndex(({ scope }) => scope === "both"),
  );
  const searches = searching.clauses.map(({ scope, query }, i) => {
    const behind = i === at ? nots.map((not) => ` AND ${not}`).join("") : "";
    return `${fields[scope]}${suffix}:(${printQuery(query, spelling)})${behind}`;
  });
  const alone =
    searches.length === 0 && nots.length > 0 ? [`${fields.both}${suffix}:(${nots.join(" AND ")})`] : [];
  const restrictions = searching.restrictions.map(printCondition);
  return [...searches, ...alone, ...restrictions].join(",");
}

function flagConditions({ years, language, type }: FlagValues): Condition[] {
  return [
    ...(years ? datesOf(years) : []),
    ...(language ? [{ key: "language", values: [...new Set(language)] }] : []),
    ...(type ? [{ key: "type", values: [...new Set(type)] }] : []),
  ];
}

/** Where the equation looks only in titles, or only in abstracts, so do its exclusions. */
function placed(items: readonly ReportItem[], branches: readonly Clause[][]): ReportItem[] {
  const narrow = branches.filter((branch) => !branch.some(({ scope }) => scope === "both")).flat();
  const scopes = [...new Set(narrow.map(({ scope }) => fields[scope]))];
  if (scopes.length === 0) return [...items];
  const reason = `looked for where the equation is, in ${scopes.join(" or ")}`;
  return items.map((item) => (item.construct === "exclusion" ? { ...item, reason } : item));
}

function widenedItem(item: ReportItem, finding: Finding | undefined): ReportItem {
  if (!finding?.scope || finding.scope === "both") return item;
  const [widenedTo] = settle([{ ...finding, change: "broader" }], false);
  const reason = `sent as title_and_abstract.search: more than ${BRANCHES_MAX} combinations of fields`;
  return { ...item, effect: widenedTo?.effect ?? "broader", reason };
}

function splitItem(branches: number, requests: number): ReportItem[] {
  if (requests < 2) return [];
  const reason =
    branches > 1 && requests === branches
      ? "a request joins fields by AND only; the alternatives are asked one after the other and united"
      : "the query is longer than a URL may be; its parts are asked one after the other and united";
  return [added("split", `${requests} series of requests`, { reason })];
}
