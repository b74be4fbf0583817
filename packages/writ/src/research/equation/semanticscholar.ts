import type { Ast, YearRange } from "./ast.ts";
import { type Dialect, listed, type Restricting } from "./dialect.ts";
import { exclusionsOf } from "./exclusions.ts";
import { settle } from "./findings.ts";
import { flagItems, flagValues } from "./flags.ts";
import { allOf, printQuery, termsOf } from "./query.ts";
import { requireTerms, unsupported } from "./report.ts";
import { resolve } from "./resolve.ts";
import type { Draft, TranslateOptions } from "./translation.ts";

// The fields of study that Semantic Scholar assigns.
const fieldsOfStudy = [
  "Agricultural and Food Sciences",
  "Art",
  "Biology",
  "Business",
  "Chemistry",
  "Computer Science",
  "Economics",
  "Education",
  "Engineering",
  "Environmental Science",
  "Geography",
  "Geology",
  "History",
  "Law",
  "Linguistics",
  "Materials Science",
  "Mathematics",
  "Medicine",
  "Philosophy",
  "Physics",
  "Political Science",
  "Psychology",
  "Sociology",
] as const;

const ONLY = "it can be restricted by year, venue and field of study only";
const keywords = "its search looks in title and abstract, not in keywords";

/** How the bulk search of Semantic Scholar understands an equation. */
const semanticScholarDialect: Dialect = {
  spelling: { and: " + ", or: " | ", not: "-" },
  signs: { and: "+", or: "|", not: "-" },
  separators: /[|+~\\]+|^-+/,
  scopes: {
    ts: { scope: "both", effect: "narrower", reason: keywords },
    tak: { scope: "both", effect: "narrower", reason: keywords },
    tiab: { scope: "both", effect: "same", reason: "its search looks in title and abstract" },
  },
  restrict,
  said: ({ key, values }) => (values ? `sent as ${key}=${values.join(",")}` : "sent as year"),
  wild: (word, scope) =>
    /^[^*?$]+\*$/.test(word)
      ? {
          query: { kind: "term", text: word, scope, wild: false },
          action: "kept",
          change: "same",
          reason: "",
        }
      : { query: null, reason: "its only wildcard is * at the end of a word" },
  wildPhrase: () => null,
};

function restrict(tag: string, values: readonly string[] | null): Restricting {
  if (values === null || (tag !== "so" && tag !== "wc")) return { refused: ONLY };
  if (tag === "wc") return listed("fieldsOfStudy", values, { read: studyOf, reason: ONLY });
  const read = (name: string): string | undefined => (/[,&]/.test(name) ? undefined : name);
  return listed("venue", values, {
    read,
    reason: "a name with a comma cannot be said in its list of venues",
  });
}

function studyOf(text: string): string | undefined {
  return fieldsOfStudy.find((field) => field.toLowerCase() === text.trim().toLowerCase());
}

/** An equation as parameters of Semantic Scholar's bulk search. */
export function translateSemanticScholar(ast: Ast, options: TranslateOptions): Draft {
  const flags = flagValues(options);
  const { query, restrictions, findings } = resolve(ast, semanticScholarDialect, false);
  const excluded = exclusionsOf(options.exclude ?? [], semanticScholarDialect);
  const terms = query ? [...termsOf(query)] : [];
  const positive = terms.some((one) => one.positive);
  const items = settle(findings, excluded.queries.length > 0 || terms.some((one) => !one.positive));
  // Its search needs words: restrictions alone are refused.
  requireTerms({ positive, restricted: false, items });
  const whole = allOf([...(query ? [query] : []), ...excluded.queries]);
  const spans = restrictions.flatMap((one) => (one.years ? [one.years] : []));
  const year = yearParameter(flags.years ? [...spans, flags.years] : spans);
  const params = {
    query: printQuery(whole, semanticScholarDialect.spelling),
    ...(year !== "" && { year }),
    ...lists(restrictions.flatMap((one) => (one.values ? [one] : []))),
  };
  return {
    requests: [{ params }],
    executedQuery: Object.entries(params)
      .map(([key, value]) => `${key}=${value}`)
      .join("&"),
    report: [
      ...items,
      ...excluded.items,
      ...flagItems(options, flags, { language: { lost: ONLY }, type: { lost: ONLY } }),
    ],
  };
}

/** One parameter holds what all ranges have in common. */
function yearParameter(spans: readonly YearRange[]): string {
  if (spans.length === 0) return "";
  const from = Math.max(...spans.map((span) => span.from ?? -Infinity));
  const to = Math.min(...spans.map((span) => span.to ?? Infinity));
  if (from > to) throw unsupported("No year is in all the years that are asked for.", []);
  if (from === to) return String(from);
  return `${Number.isFinite(from) ? from : ""}-${Number.isFinite(to) ? to : ""}`;
}

/** The parameters of lists; two conditions on one key hold together only where their values meet. */
function lists(conditions: readonly { key: string; values: string[] }[]): Record<string, string> {
  const byKey = new Map<string, string[]>();
  for (const { key, values } of conditions) {
    const before = byKey.get(key);
    byKey.set(key, before ? before.filter((value) => values.includes(value)) : values);
  }
  const [none] = [...byKey].find(([, values]) => values.length === 0) ?? [];
  if (none !== undefined) throw unsupported(`No value of ${none} is in all that are asked for.`, []);
  return Object.fromEntries([...byKey].map(([key, values]) => [key, values.join(",")]));
}
