import { tokensOf } from "./similarity.ts";

/** Why two texts that look alike do not mean the same. */
export type Veto = "number" | "prefix" | "word" | "given_name";

const prefixes =
  "un non in im ir il a an anti contra counter de dis mis pre post pro sub super hyper hypo inter intra extra macro micro mono multi poly uni bi tri sym asym endo exo homo hetero".split(
    " ",
  );
const words = "not without non low high left right early late negative positive male female".split(" ");

const hyphened = new RegExp(`(?<=^|\\s)(${prefixes.join("|")})-(?=\\p{L})`, "gu");
const roman = /^(?=[mdclxvi])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/;
// A stem this short says nothing.
const leastStem = 3;

/** Why a pair of normalised texts is vetoed, or undefined. */
export function vetoOf(a: string, b: string, options: { names?: boolean } = {}): Veto | undefined {
  if (numbersIn(a, options.names === true) !== numbersIn(b, options.names === true)) return "number";
  const [ofA, ofB] = [whole(a), whole(b)];
  const [inA, inB] = [new Set(ofA), new Set(ofB)];
  if (words.some((word) => inA.has(word) !== inB.has(word))) return "word";
  const onlyA = ofA.filter((token) => !inB.has(token));
  const onlyB = ofB.filter((token) => !inA.has(token));
  return onlyA.some((one) => onlyB.some((other) => differByPrefix(one, other))) ? "prefix" : undefined;
}

/** Numbers and Roman numerals of a text, in order of size; single letters of names are initials. */
function numbersIn(text: string, names: boolean): string {
  const numerals = tokensOf(text)
    .map((token) => token.replaceAll(/[^\p{L}]/gu, ""))
    .filter((token) => roman.test(token) && (!names || token.length > 1));
  return [...(text.match(/\p{N}+/gu) ?? []), ...numerals].toSorted().join(" ");
}

/** Tokens in which a prefix and what it stands before are one word, hyphen or not. */
function whole(text: string): string[] {
  return tokensOf(text.replaceAll(hyphened, "$1"));
}

function differByPrefix(one: string, other: string): boolean {
  return (
    stemsOf(one).some((stem) => stem === other) ||
    stemsOf(other).some((stem) => stem === one || stemsOf(one).includes(stem))
  );
}

/** What is left of a word without each prefix it may have. */
function stemsOf(word: string): string[] {
  return prefixes.flatMap((prefix) =>
    word.startsWith(prefix) && word.length - prefix.length >= leastStem ? [word.slice(prefix.length)] : [],
  );
}

/** Whether two lists of given names, normalised, cannot be of one person: a full name differs, or an initial does. */
export function givenDiffer(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).some((one, at) => {
    const other = b[at] ?? "";
    return one.length > 1 && other.length > 1 ? one !== other : one[0] !== other[0];
  });
}
