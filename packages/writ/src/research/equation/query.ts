/** Where a source looks for a word. */
export type Scope = "both" | "title" | "abstract";

/** A word or phrase as it is sent. */
export interface Term {
  kind: "term";
  text: string;
  scope: Scope;
  /** It holds a wildcard, which a stemmed field matches wrongly. */
  wild: boolean;
}

/** `beside[i]`: part i stands beside the one before it, without an operator. */
export interface All {
  kind: "and";
  parts: Query[];
  beside: boolean[];
}

export interface Any {
  kind: "or";
  parts: Query[];
}

export interface None {
  kind: "not";
  of: Query;
}

/** What a source is asked to match: an equation in which nothing is left that it does not understand. */
export type Query = Term | All | Any | None;

/** How a source spells its operators, with the spaces around them. */
export interface Spelling {
  and: string;
  or: string;
  not: string;
}

/** All of several queries, or the one there is. */
export function allOf(parts: readonly Query[], beside: readonly boolean[] = []): Query {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return { kind: "and", parts: [...parts], beside: parts.map((_, i) => beside[i] ?? false) };
}

/** Any of several queries, or the one there is. */
export function anyOf(parts: readonly Query[]): Query {
  const [only] = parts;
  return only && parts.length === 1 ? only : { kind: "or", parts: [...parts] };
}

/**
 * The query as text. Brackets stand wherever AND and OR meet, and around NOT below OR: the parsers behind the
 * sources give these no precedence.
 */
export function printQuery(query: Query, spelling: Spelling): string {
  switch (query.kind) {
    case "term":
      return query.text;
    case "not":
      return spelling.not + bracketed(query.of, ["and", "or", "not"], spelling);
    case "or":
      return query.parts.map((part) => bracketed(part, ["and", "or", "not"], spelling)).join(spelling.or);
    case "and":
      return query.parts
        .map((part, i) => {
          const text = bracketed(part, ["and", "or"], spelling);
          if (i === 0) return text;
          return (query.beside[i] ? " " : spelling.and) + text;
        })
        .join("");
  }
}

function bracketed(query: Query, kinds: readonly Query["kind"][], spelling: Spelling): string {
  const text = printQuery(query, spelling);
  return kinds.includes(query.kind) ? `(${text})` : text;
}

/** The terms of a query, and whether each is asked for rather than excluded. */
export function* termsOf(query: Query, positive = true): Generator<{ term: Term; positive: boolean }> {
  if (query.kind === "term") yield { term: query, positive };
  else if (query.kind === "not") yield* termsOf(query.of, !positive);
  else for (const part of query.parts) yield* termsOf(part, positive);
}

/** The scopes of a query's terms, in order of appearance. */
export function scopesOf(query: Query): Scope[] {
  return [...new Set([...termsOf(query)].map(({ term }) => term.scope))];
}

/** The same query with each term changed. */
export function mapTerms(query: Query, change: (term: Term) => Term): Query {
  if (query.kind === "term") return change(query);
  if (query.kind === "not") return { kind: "not", of: mapTerms(query.of, change) };
  return { ...query, parts: query.parts.map((part) => mapTerms(part, change)) };
}
