import fc from "fast-check";
import { matches, parseSearch } from "../../fakes/openalex/search.ts";
import type { Expression, Field, Near } from "../../../packages/writ/src/research/equation/ast.ts";
import { languageCode } from "../../../packages/writ/src/research/equation/languages.ts";

/** A work small enough to be thought through. */
export interface Document {
  title: string[];
  abstract: string[];
  keywords: string[];
  authors: string[];
  year: number;
  language: string;
}

export function documents(words: readonly string[], count: number): fc.Arbitrary<Document[]> {
  const some = (maxLength: number): fc.Arbitrary<string[]> =>
    fc.array(fc.constantFrom(...words), { maxLength });
  const document = fc.record({
    title: some(4),
    abstract: some(5),
    keywords: some(1),
    authors: some(1),
    year: fc.integer({ min: 2000, max: 2004 }),
    language: fc.constantFrom("en", "es"),
  });
  return fc.array(document, { minLength: count, maxLength: count });
}

/** What the equation itself says of a document: the meaning that a translation is measured by. */
export function says(node: Expression, document: Document, texts = inTitleOrAbstract(document)): boolean {
  switch (node.kind) {
    case "word":
      return texts.some((text) => text.some((word) => patternOf(node.text).test(word)));
    case "phrase":
      return texts.some((text) => hasPhrase(text, node.text.split(" ").map(patternOf)));
    case "near":
      return isNear(node, document, texts);
    case "not":
      return !says(node.of, document, texts);
    case "and":
      return node.parts.every((part) => says(part, document, texts));
    case "or":
      return node.parts.some((part) => says(part, document, texts));
    case "field":
      return saysField(node, document);
    case "years":
      return node.ranges.some(
        ({ from, to }) => document.year >= (from ?? -Infinity) && document.year <= (to ?? Infinity),
      );
  }
}

function hasPhrase(text: readonly string[], phrase: readonly RegExp[]): boolean {
  return text.some((_, at) => phrase.every((pattern, i) => pattern.test(text[at + i] ?? "")));
}

function inTitleOrAbstract({ title, abstract }: Document): string[][] {
  return [title, abstract];
}

// Words, and groups of words, within a distance. Of other operands only this much is the same everywhere: all are there.
function isNear(node: Near, document: Document, texts: string[][]): boolean {
  const [lefts, rights] = node.operands.map(alternatives);
  const distance = node.joins[0]?.distance ?? 0;
  if (!lefts || !rights) return node.operands.every((operand) => says(operand, document, texts));
  return texts.some((text) =>
    text.some((word, i) => {
      const window = text.slice(i + 1, i + 2 + distance);
      return lefts.includes(word) && window.some((other) => rights.includes(other));
    }),
  );
}

function alternatives(node: Expression): string[] | null {
  if (node.kind === "word") return /[*?$]/.test(node.text) ? null : [node.text];
  if (node.kind !== "or") return null;
  const lists = node.parts.map(alternatives);
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
}

function saysField({ tag, value }: Field, document: Document): boolean {
  const { title, abstract, keywords, authors, language } = document;
  const texts: Partial<Record<Field["tag"], string[][]>> = {
    ti: [title],
    ab: [abstract],
    tiab: [title, abstract],
    ts: [title, abstract, keywords],
    tak: [title, abstract, keywords],
    ak: [keywords],
    au: [authors],
  };
  if (tag === "la") return saysLanguage(value, language);
  return says(value, document, texts[tag] ?? []);
}

function saysLanguage(value: Expression, language: string): boolean {
  if (value.kind === "or") return value.parts.some((part) => saysLanguage(part, language));
  return value.kind === "word" && languageCode(value.text) === language;
}

function patternOf(text: string): RegExp {
  const letters = { "*": ".*", "?": ".", $: ".?" };
  return new RegExp(`^${text.replaceAll(/[*?$]/g, (sign) => letters[sign as keyof typeof letters])}$`);
}

/** Whether OpenAlex finds a document by a filter: by the fake's own reading of it. */
export function finds(filter: string, document: Document): boolean {
  return filter.split(",").every((clause) => {
    const [, key = "", value = ""] = /^([^:]+):(.*)$/s.exec(clause) ?? [];
    const [, field, exact] = /^(title_and_abstract|title|abstract)\.search(\.exact)?$/.exec(key) ?? [];
    if (field) {
      const where = { field: field as "title", stemmed: exact === undefined };
      const { title, abstract } = document;
      return matches(
        parseSearch(value, where),
        { title: title.join(" "), abstract: abstract.join(" ") },
        where,
      );
    }
    if (key === "language") return value.split("|").includes(document.language);
    if (key === "from_publication_date") return `${document.year}-06-01` >= value;
    if (key === "to_publication_date") return `${document.year}-06-01` <= value;
    throw new Error(`The filter has an unknown clause: ${clause}`);
  });
}
