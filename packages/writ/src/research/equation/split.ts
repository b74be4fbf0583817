import { allOf, anyOf, type Any, type Query } from "./query.ts";
import { unsupported } from "./report.ts";
import type { Clause } from "./scopes.ts";

/** One request before it is a filter. */
export interface Searching {
  clauses: Clause[];
  /** Each a key with alternative values. */
  restrictions: { key: string; values: string[] }[];
}

interface Fitting {
  print: (searching: Searching) => string;
  /** Bytes, encoded. */
  limit: number;
}

// OpenAlex takes at most this many alternatives of one restriction.
const VALUES_MAX = 100;
// As many series are hours of requests; an equation that needs more is better asked as several.
const SERIES_MAX = 256;

/** How long a text is in a URL when everything but letters, digits, `-`, `.` and `_` is escaped: no encoder needs more. */
export function encodedBytes(text: string): number {
  const plain = text.match(/[A-Za-z0-9._-]/g)?.length ?? 0;
  return plain + 3 * (Buffer.byteLength(text, "utf8") - plain);
}

/**
 * The requests that a search takes so that each fits into a URL. The longest OR group under no NOT is cut into
 * parts: `X AND (a OR b OR c)` is `X AND (a OR b)` united with `X AND c`. Throws E_EQUATION_UNSUPPORTED where
 * nothing is left to cut.
 */
export function fitted(searching: Searching, fitting: Fitting): Searching[] {
  const done: Searching[] = [];
  const waiting = [searching];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (fits(next, fitting)) done.push(next);
    else waiting.unshift(...parts(next, fitting));
    if (done.length + waiting.length > SERIES_MAX)
      throw tooLong(`it would take more than ${SERIES_MAX} series of requests`);
  }
  return done;
}

function fits(searching: Searching, { print, limit }: Fitting): boolean {
  const few = searching.restrictions.every(({ values }) => values.length <= VALUES_MAX);
  return few && encodedBytes(print(searching)) <= limit;
}

function tooLong(why: string): Error {
  return unsupported(
    `The equation is too long for one request, and cannot be cut: ${why}.`,
    [],
    "Ask in several shorter equations; their results are united in the library.",
  );
}

/** A place that can be cut, and the request with only some of its members. */
interface Cut {
  length: number;
  count: number;
  take: (from: number, to: number) => Searching;
}

function parts(searching: Searching, fitting: Fitting): Searching[] {
  const [longest, second] = cutsOf(searching).sort((a, b) => b.length - a.length);
  if (!longest) throw tooLong("it has no OR group outside NOT");
  const { count, take } = longest;
  const packed: Searching[] = [];
  for (let from = 0; from < count; ) {
    let to = from + 1;
    if (!fits(take(from, to), fitting)) return halves(longest);
    while (to < count && fits(take(from, to + 1), fitting)) to += 1;
    // Little room beside another long group: both are better cut by half than one to crumbs.
    const room = (longest.length * (to - from)) / count;
    if (to < count && second && second.length > 2 * room) return halves(longest);
    packed.push(take(from, to));
    from = to;
  }
  return packed;
}

function halves({ count, take }: Cut): Searching[] {
  const middle = Math.ceil(count / 2);
  return [take(0, middle), take(middle, count)];
}

function cutsOf(searching: Searching): Cut[] {
  const { clauses, restrictions } = searching;
  const groups = clauses.flatMap(({ query }, at) =>
    groupsOf(query).map(
      (group): Cut => ({
        length: lengthOf(group),
        count: group.parts.length,
        take: (from, to) => ({
          ...searching,
          clauses: clauses.map((clause, i) =>
            i === at
              ? { ...clause, query: replaced(query, group, anyOf(group.parts.slice(from, to))) }
              : clause,
          ),
        }),
      }),
    ),
  );
  const lists = restrictions.flatMap(({ key, values }, at): Cut[] => {
    if (values.length < 2) return [];
    const take: Cut["take"] = (from, to) => ({
      ...searching,
      restrictions: restrictions.map((one, i) => (i === at ? { key, values: values.slice(from, to) } : one)),
    });
    // A list that is too long for OpenAlex must be cut whatever the URL has room for.
    const length = values.length > VALUES_MAX ? Infinity : encodedBytes(values.join("|"));
    return [{ length, count: values.length, take }];
  });
  return [...groups, ...lists];
}

function groupsOf(query: Query): Any[] {
  if (query.kind === "term" || query.kind === "not") return [];
  const inner = query.parts.flatMap(groupsOf);
  return query.kind === "or" ? [query, ...inner] : inner;
}

function lengthOf(query: Query): number {
  if (query.kind === "term") return encodedBytes(query.text);
  if (query.kind === "not") return lengthOf(query.of);
  return query.parts.reduce((sum, part) => sum + lengthOf(part) + 1, 0);
}

function replaced(query: Query, group: Query, by: Query): Query {
  if (query === group) return by;
  if (query.kind === "term" || query.kind === "not") return query;
  const inner = query.parts.map((part) => replaced(part, group, by));
  return query.kind === "or" ? anyOf(inner) : allOf(inner, query.beside);
}
