import type { FieldTag } from "./ast.ts";

/** Words before `=` or `:` (or, in capitals, before a bracket), in lower case. */
export const tagWords: Readonly<Record<string, FieldTag>> = {
  ti: "ti",
  title: "ti",
  ab: "ab",
  abs: "ab",
  ts: "ts",
  topic: "ts",
  "title-abs-key": "tak",
  "title-abs": "tiab",
  ak: "ak",
  kw: "ak",
  key: "ak",
  au: "au",
  auth: "au",
  so: "so",
  srctitle: "so",
  py: "py",
  pubyear: "py",
  la: "la",
  language: "la",
  dt: "dt",
  doctype: "dt",
  do: "do",
  doi: "do",
  wc: "wc",
  su: "wc",
};

/** What may stand in square brackets behind a word or phrase, in lower case. */
export const bracketWords: Readonly<Record<string, FieldTag>> = {
  ti: "ti",
  title: "ti",
  tiab: "tiab",
  "title/abstract": "tiab",
  ab: "ab",
  abstract: "ab",
  au: "au",
  author: "au",
  mh: "ak",
  mesh: "ak",
  "mesh terms": "ak",
  la: "la",
  language: "la",
  pt: "dt",
  "publication type": "dt",
  dp: "py",
};

// A word of a tag that is also a word of English is a tag only as Scopus writes it.
const calls = /^(?:TITLE-ABS-KEY|TITLE-ABS|TITLE|ABS|KEY|AUTH|SRCTITLE|PUBYEAR|LANGUAGE|DOCTYPE|DOI)$/;

/** Whether a word directly before a bracket makes it the value of a field. */
export function isCall(word: string): boolean {
  return calls.test(word);
}

/** The tag of a word, or undefined; own properties only, so that `constructor:` is no field. */
export function lookUp(words: Readonly<Record<string, FieldTag>>, word: string): FieldTag | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(words, key) ? words[key] : undefined;
}
