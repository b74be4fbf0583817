import { fail, nearest } from "../../contract/index.ts";
import type { Ast, YearRange } from "./ast.ts";
import { languageCode, languageNames } from "./languages.ts";
import type { Construct, Effect, ReportItem } from "./report.ts";
import type { TranslateOptions } from "./translation.ts";
import { openAlexTypes, workType } from "./types.ts";

/** What the flags restrict to, in OpenAlex's words; absent where nothing was given. */
export interface FlagValues {
  years?: YearRange;
  language?: string[];
  type?: string[];
}

/** Reads the flags that restrict; a value nobody knows is E_INVALID_VALUE with the nearest known one. */
export function flagValues(options: TranslateOptions): FlagValues {
  const { minYear, maxYear, language = [], type = [] } = options;
  if (minYear !== undefined && maxYear !== undefined && minYear > maxYear)
    throw fail("E_INVALID_VALUE", {
      message: `The years run from ${minYear} to ${maxYear}, which is no time at all.`,
      cause: "The least year is after the greatest.",
      remediation: `Give them the other way round: --min-year ${maxYear} --max-year ${minYear}`,
      details: { min_year: minYear, max_year: maxYear },
    });
  const bounded = minYear !== undefined || maxYear !== undefined;
  return {
    ...(bounded && { years: { from: minYear ?? null, to: maxYear ?? null } }),
    ...(language.length > 0 && { language: language.map((word) => known("language", word)) }),
    ...(type.length > 0 && { type: type.map((word) => known("type", word)) }),
  };
}

function known(flag: "language" | "type", word: string): string {
  const value = flag === "language" ? languageCode(word) : workType(word);
  if (value !== undefined) return value;
  const allowed = flag === "language" ? languageNames : openAlexTypes;
  const near = nearest(word, allowed) ?? allowed[0];
  throw fail("E_INVALID_VALUE", {
    message: `“${word}” is no ${flag} that Writ knows.`,
    cause: `Known are ${allowed.join(", ")}${flag === "language" ? ", and codes of two letters" : ""}.`,
    remediation: `Name one of them: writ research seed --equation '…' --${flag} ${near} --preview`,
    details: { field: flag, value: word, allowed, nearest: near },
  });
}

/** What a source made of a flag's values: what of them is sent, in which words, or why nothing is. */
export interface Sent {
  typed?: readonly string[];
  words?: readonly string[];
  lost?: string;
}

/** The report of the flags that restrict; of what is not told here, the values are sent as they are. */
export function flagItems(
  options: TranslateOptions,
  values: FlagValues,
  sent: Partial<Record<"language" | "type", Sent>> = {},
): ReportItem[] {
  const { minYear, maxYear } = options;
  const bounds = [
    minYear === undefined ? "" : `from ${minYear}`,
    maxYear === undefined ? "" : `to ${maxYear}`,
  ];
  const years = values.years ? [added("year", bounds.filter(Boolean).join(" "), {})] : [];
  const lists = (["language", "type"] as const).flatMap((kind): ReportItem[] => {
    const given = options[kind] ?? [];
    if (given.length === 0) return [];
    const { typed = given, words = values[kind] ?? [], lost } = sent[kind] ?? {};
    const text = typed.join(", ");
    if (lost !== undefined)
      return [added(kind, text, { action: "dropped", effect: "broader", reason: lost })];
    const same = typed.length === words.length && typed.every((word, i) => word === words[i]);
    return [added(kind, text, same ? {} : { action: "rewritten", reason: `sent as ${words.join(", ")}` })];
  });
  return [...years, ...lists];
}

/** The item of something that no part of the equation asked for. */
export function added(construct: Construct, text: string, item: Partial<ReportItem>): ReportItem {
  const effect: Effect = "same";
  return {
    construct,
    text,
    position: null,
    action: "kept",
    effect,
    reason: "asked for beside the equation",
    ...item,
  };
}

/**
 * A term to exclude, as an equation of its own: NOT a phrase, or NOT a word where a wildcard must stand in one.
 * `not` is how the source spells the operator.
 */
export function exclusionAst(term: string, not: string): Ast {
  const signs = /["\u201c-\u201f]/g;
  const words = term.toWellFormed().replaceAll(signs, " ").replaceAll(/\s+/g, " ").trim();
  if (words === "")
    throw fail("E_INVALID_VALUE", {
      message: "A term to exclude is empty.",
      cause: "It holds nothing but spaces and quotes.",
      remediation: "Leave it out, or name a word, as in --exclude delta",
      details: { field: "exclude" },
    });
  const isWild = /[*?$]/.test(words) && !/\s/.test(words);
  const text = isWild ? words : `"${words}"`;
  const at = { from: 0, to: text.length };
  const of = isWild
    ? ({ kind: "word", text, fuzzy: null, at } as const)
    : ({ kind: "phrase", text: words, slop: null, at } as const);
  return { text, root: { kind: "not", of, operator: { text: not, at }, at }, commas: [] };
}
