import { allOf, anyOf, mapTerms, type Query, type Scope, scopesOf } from "./query.ts";

/** A query of one scope; a request is the conjunction of some. */
export interface Clause {
  scope: Scope;
  query: Query;
}

/** More series than these cost more than a wider search. */
export const BRANCHES_MAX = 8;

/**
 * A query as alternatives of conjunctions of clauses, each clause with one scope. Null when more than
 * {@link BRANCHES_MAX} alternatives would be needed: a request joins fields by AND only.
 */
export function branchesOf(query: Query): Clause[][] | null {
  const alternatives = split(query);
  return alternatives && alternatives.map(joined);
}

/** The query with every word looked for in title and abstract. */
export function widened(query: Query): Query {
  return mapTerms(query, (term) => ({ ...term, scope: "both" }));
}

interface Piece {
  query: Query;
  beside: boolean;
}

function split(query: Query): Piece[][] | null {
  if (scopesOf(query).length === 1) return [[{ query, beside: false }]];
  switch (query.kind) {
    case "and":
      return product(query.parts.map((part, i) => ({ of: split(part), beside: query.beside[i] ?? false })));
    case "or":
      return union(query.parts);
    case "not":
      return split(inverted(query.of));
    case "term":
      return [[{ query, beside: false }]];
  }
}

function product(factors: { of: Piece[][] | null; beside: boolean }[]): Piece[][] | null {
  let result: Piece[][] = [[]];
  for (const { of, beside } of factors) {
    if (!of || result.length * of.length > BRANCHES_MAX) return null;
    result = result.flatMap((left) =>
      of.map((right) => [...left, ...right.map((piece, i) => (i === 0 ? { ...piece, beside } : piece))]),
    );
  }
  return result;
}

// Alternatives of one scope stay together: they are one series.
function union(parts: readonly Query[]): Piece[][] | null {
  const byScope = new Map<Scope, Query[]>();
  const mixed: Piece[][] = [];
  for (const part of parts) {
    const [scope = "both", ...others] = scopesOf(part);
    if (others.length === 0) byScope.set(scope, [...(byScope.get(scope) ?? []), part]);
    else {
      const inner = split(part);
      if (!inner) return null;
      mixed.push(...inner);
    }
  }
  const plain = [...byScope.values()].map((group) => [{ query: anyOf(group), beside: false }]);
  return plain.length + mixed.length > BRANCHES_MAX ? null : [...plain, ...mixed];
}

// De Morgan: below NOT, scopes can be told apart only after it has been moved inwards.
function inverted(query: Query): Query {
  if (query.kind === "not") return query.of;
  if (query.kind === "and") return anyOf(query.parts.map(negated));
  if (query.kind === "or") return allOf(query.parts.map(negated));
  return { kind: "not", of: query };
}

function negated(query: Query): Query {
  return query.kind === "not" ? query.of : { kind: "not", of: query };
}

function joined(pieces: readonly Piece[]): Clause[] {
  const byScope = new Map<Scope, Piece[]>();
  for (const piece of pieces) {
    const [scope = "both"] = scopesOf(piece.query);
    byScope.set(scope, [...(byScope.get(scope) ?? []), piece]);
  }
  return [...byScope].map(([scope, group]) => {
    const parts = group.flatMap(flattened);
    return {
      scope,
      query: allOf(
        parts.map(({ query }) => query),
        parts.map(({ beside }) => beside),
      ),
    };
  });
}

// A conjunction inside a conjunction needs no brackets of its own once the parts between were moved elsewhere.
function flattened(piece: Piece): Piece[] {
  const { query, beside } = piece;
  if (query.kind !== "and") return [piece];
  return query.parts.map((part, i) => ({
    query: part,
    beside: i === 0 ? beside : (query.beside[i] ?? false),
  }));
}
