/**
 * The search language of OpenAlex, as its documentation describes it: AND, OR, NOT in capitals, words side by side
 * as AND, brackets, "phrases", "~n" behind a phrase or word, * and ? in words of an unstemmed field.
 *
 * Written from that description alone and shares nothing with the translator it is used to check.
 */
export type Search =
  | { is: "word"; text: string; edits: number }
  | { is: "phrase"; words: string[]; moves: number }
  | { is: "all" | "any"; of: Search[] }
  | { is: "not"; of: Search };

/** What the service answers 400 to. */
export class SearchError extends Error {}

export interface Searchable {
  title: string | null;
  abstract: string | null;
}

/** Which filter was used: `title.search.exact` is `{ field: "title", stemmed: false }`. */
export interface SearchField {
  field: "title" | "abstract" | "title_and_abstract";
  stemmed: boolean;
}

type Lexeme = { sign: "(" | ")" | "AND" | "OR" | "NOT" } | { term: Search };

const lexemes = /\s*(?:([()])|"([^"]*)"(?:~(\d+))?|([^\s()"]+))/y;

/** Reads one search expression. Throws {@link SearchError} on what the service refuses, wildcards of a stemmed field too. */
export function parseSearch(
  expression: string,
  { stemmed }: Pick<SearchField, "stemmed"> = { stemmed: false },
): Search {
  const stream = lex(expression.trim());
  const search = parseAny(stream, stemmed);
  if (stream.length > 0) throw new SearchError(`Unexpected end of an expression in: ${expression}`);
  return search;
}

function lex(text: string): Lexeme[] {
  const found: Lexeme[] = [];
  for (let at = 0; at < text.length; at = lexemes.lastIndex) {
    lexemes.lastIndex = at;
    const match = lexemes.exec(text);
    if (!match) throw new SearchError(`A quote is not closed in: ${text}`);
    const [, bracket, phrase, moves, word = ""] = match;
    if (bracket === "(" || bracket === ")") found.push({ sign: bracket });
    else if (phrase !== undefined) found.push({ term: phraseOf(phrase, Number(moves ?? 0)) });
    else if (word === "AND" || word === "OR" || word === "NOT") found.push({ sign: word });
    else found.push({ term: wordOf(word) });
  }
  return found;
}

function phraseOf(text: string, moves: number): Search {
  refuseSigns(text);
  return { is: "phrase", words: text.toLowerCase().split(/\s+/).filter(Boolean), moves };
}

function wordOf(text: string): Search {
  refuseSigns(text);
  const [, stem = text, edits = "0"] = /^(.+)~([012])$/.exec(text) ?? [];
  return { is: "word", text: stem.toLowerCase(), edits: Number(edits) };
}

function refuseSigns(text: string): void {
  const sign = /[,|!:]/.exec(text);
  if (sign) throw new SearchError(`“${sign[0]}” cannot stand in a search value.`);
}

function signOf(lexeme: Lexeme | undefined): string | undefined {
  return lexeme && "sign" in lexeme ? lexeme.sign : undefined;
}

function parseAny(stream: Lexeme[], stemmed: boolean): Search {
  const of = [parseAll(stream, stemmed)];
  while (signOf(stream[0]) === "OR") {
    stream.shift();
    of.push(parseAll(stream, stemmed));
  }
  return of.length === 1 && of[0] ? of[0] : { is: "any", of };
}

function parseAll(stream: Lexeme[], stemmed: boolean): Search {
  const of = [parseOne(stream, stemmed)];
  for (;;) {
    const sign = signOf(stream[0]);
    if (stream.length === 0 || sign === "OR" || sign === ")") break;
    if (sign === "AND") stream.shift();
    of.push(parseOne(stream, stemmed));
  }
  return of.length === 1 && of[0] ? of[0] : { is: "all", of };
}

function parseOne(stream: Lexeme[], stemmed: boolean): Search {
  const next = stream.shift();
  if (!next) throw new SearchError("An operator has nothing behind it.");
  if ("term" in next) {
    refuseWildcards(next.term, stemmed);
    return next.term;
  }
  if (next.sign === "NOT") return { is: "not", of: parseOne(stream, stemmed) };
  if (next.sign !== "(") throw new SearchError(`“${next.sign}” has nothing before it.`);
  const inner = parseAny(stream, stemmed);
  if (signOf(stream.shift()) !== ")") throw new SearchError("A bracket is not closed.");
  return inner;
}

function refuseWildcards(term: Search, stemmed: boolean): void {
  for (const word of term.is === "word" ? [term.text] : term.is === "phrase" ? term.words : []) {
    if (!/[*?]/.test(word)) continue;
    if (stemmed) throw new SearchError("Wildcards need an unstemmed search: use .search.exact.");
    if (/^[*?]/.test(word)) throw new SearchError("A word cannot begin with a wildcard.");
    const letters = /^[^*]*/.exec(word)?.[0].replaceAll(/[^\p{L}\p{N}]/gu, "") ?? "";
    if (word.includes("*") && letters.length < 3) throw new SearchError("* needs three letters before it.");
  }
}

/** Whether a work is found. A term may stand in either of two fields, a phrase stands within one. */
export function matches(search: Search, work: Searchable, where: SearchField): boolean {
  const { field, stemmed } = where;
  const texts = [field === "abstract" ? null : work.title, field === "title" ? null : work.abstract];
  const fields = texts.map((text) => wordsOf(text ?? ""));
  return holds(search, fields, stemmed);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}\p{Emoji_Presentation}]+/gu) ?? [];
}

function holds(search: Search, fields: readonly string[][], stemmed: boolean): boolean {
  switch (search.is) {
    case "all":
      return search.of.every((one) => holds(one, fields, stemmed));
    case "any":
      return search.of.some((one) => holds(one, fields, stemmed));
    case "not":
      return !holds(search.of, fields, stemmed);
    case "word":
      return fields.some((words) => hasWord(search, words, stemmed));
    case "phrase":
      return fields.some((words) => hasPhrase(search, words, stemmed));
  }
}

function hasWord(
  { text, edits }: { text: string; edits: number },
  words: string[],
  stemmed: boolean,
): boolean {
  if (edits > 0) return words.some((word) => withinEdits(word, text, edits));
  // A word with marks inside is analysed like a phrase: covid-19.
  const parts = /[*?]/.test(text) ? [text] : wordsOf(text);
  return hasPhrase({ words: parts, moves: 0 }, words, stemmed);
}

/** Sloppy phrases count moves: each word may stand elsewhere than where the phrase has it, by `moves` in all. */
function hasPhrase(phrase: { words: string[]; moves: number }, words: string[], stemmed: boolean): boolean {
  const wanted = phrase.words.flatMap((word) => (/[*?]/.test(word) ? [word] : wordsOf(word)));
  const places = wanted.map((word, i) =>
    words.flatMap((each, at) => (sameWord(each, word, stemmed) ? [at - i] : [])),
  );
  return wanted.length > 0 && spread(places, phrase.moves);
}

function spread(places: readonly number[][], moves: number, chosen: readonly number[] = []): boolean {
  const [first, ...rest] = places;
  if (!first) return true;
  return first.some((place) => {
    const all = [...chosen, place];
    const distinct = new Set(all.map((shift, i) => shift + i)).size === all.length;
    return distinct && Math.max(...all) - Math.min(...all) <= moves && spread(rest, moves, all);
  });
}

function sameWord(word: string, wanted: string, stemmed: boolean): boolean {
  if (/[*?]/.test(wanted)) return patternOf(wanted).test(word);
  return stemmed ? stem(word) === stem(wanted) : word === wanted;
}

function patternOf(wanted: string): RegExp {
  const source = Array.from(wanted)
    .map((sign) =>
      sign === "*" ? ".*" : sign === "?" ? "." : sign.replaceAll(/[\\^$.|+()[\]{}/-]/g, "\\$&"),
    )
    .join("");
  return new RegExp(`^${source}$`, "u");
}

/** Plurals only; the service does more, but this much must be seen to be on or off. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss")) return word.slice(0, -1);
  return word;
}

function withinEdits(a: string, b: string, edits: number): boolean {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return (row[b.length] ?? 0) <= edits;
}
