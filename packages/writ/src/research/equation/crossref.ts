import type { Ast, Expression, Field, Operator, Place } from "./ast.ts";
import { spanOf, valuesOf } from "./dialect.ts";
import { added, flagItems, flagValues, type Sent } from "./flags.ts";
import { type Construct, type ReportItem, requireTerms } from "./report.ts";
import type { Draft, TranslateOptions } from "./translation.ts";
import { crossrefType, workType } from "./types.ts";

/** What Crossref makes of Boolean text; said first among the warnings. */
export const CROSSREF_RANKS = "Crossref ranks by words; it does not evaluate Boolean expressions";

// Fields of words that a bibliographic query looks for anyway; the words of the others would only mislead it.
const wordFields: ReadonlySet<string> = new Set(["ti", "ab", "ts", "tak", "tiab", "ak"]);

/** An equation as Crossref's words and filter. */
export function translateCrossref(ast: Ast, options: TranslateOptions): Draft {
  const flags = flagValues(options);
  const reading = new CrossrefReading(ast.text);
  reading.expression(ast.root, true);
  for (const comma of ast.commas) reading.comma(comma);
  const { words, filters, items } = reading;
  requireTerms({ positive: words.length > 0, restricted: filters.length > 0, items });
  const { exclude = [] } = options;
  const filter = [...filters, ...dates(flags.years), ...types(flags.type)].join(",");
  const query = words.join(" ");
  const params = {
    ...(query !== "" && { "query.bibliographic": query }),
    ...(filter !== "" && { filter }),
  };
  const excluded = added("exclusion", exclude.join(", "), {
    action: "dropped",
    effect: "unknown",
    reason: CROSSREF_RANKS,
  });
  const sent = {
    language: { lost: "Crossref has no filter for languages" },
    type: sentTypes(options.type, flags.type),
  };
  return {
    requests: [{ params }],
    executedQuery: Object.entries(params)
      .map(([key, value]) => `${key}=${value}`)
      .join("&"),
    report: [
      ...items,
      ...(exclude.length > 0 ? [excluded] : []),
      ...flagItems(options, flags, sent),
      ...missingTypes(flags.type),
    ],
  };
}

function dates(years: { from: number | null; to: number | null } | undefined): string[] {
  if (!years) return [];
  const { from, to } = years;
  return [
    ...(from === null ? [] : [`from-pub-date:${from}-01-01`]),
    ...(to === null ? [] : [`until-pub-date:${to}-12-31`]),
  ];
}

// Crossref reads a repeated filter as alternatives.
function types(words: readonly string[] = []): string[] {
  const known = words.map(crossrefType).filter((word) => word !== undefined);
  return [...new Set(known)].map((word) => `type:${word}`);
}

function sentTypes(typed: readonly string[] = [], words: readonly string[] = []): Sent {
  const isKnown = (word: string | undefined): boolean => crossrefType(word ?? "") !== undefined;
  const known = types(words).map((filter) => filter.slice("type:".length));
  if (known.length === 0) return { lost: "Crossref has no such type of work" };
  return { typed: typed.filter((_, i) => isKnown(words[i])), words: known };
}

// Types are alternatives: one that cannot be asked for finds less, unless none is left.
function missingTypes(words: readonly string[] = []): ReportItem[] {
  const missing = words.filter((word) => crossrefType(word) === undefined);
  if (missing.length === 0 || missing.length === words.length) return [];
  const reason = "Crossref has no such type of work";
  return [added("type", missing.join(", "), { action: "dropped", effect: "narrower", reason })];
}

/** One walk that collects the words worth ranking by. */
class CrossrefReading {
  readonly words: string[] = [];
  readonly filters: string[] = [];
  readonly items: ReportItem[] = [];
  private readonly text: string;
  private readonly gone: Place[] = [];

  constructor(text: string) {
    this.text = text;
  }

  expression(node: Expression, top: boolean): void {
    switch (node.kind) {
      case "word":
        return this.word(node);
      case "phrase":
        this.drop("phrase", node.at);
        this.words.push(
          ...node.text
            .split(/[\s,]+/)
            .map(bare)
            .filter(Boolean),
        );
        return;
      case "near":
        this.drop("proximity", node.at);
        return node.operands.forEach((operand) => this.expression(operand, false));
      case "not":
        this.drop("case", node.at);
        this.gone.push(node.at);
        return;
      case "and":
      case "or":
        node.parts.forEach((part) => this.expression(part, top && node.kind === "and"));
        return this.operators(node.operators);
      case "field":
        return this.field(node, top);
      case "years": {
        const span = top ? spanOf(node.ranges) : null;
        if (!span) return this.drop("field", node.at);
        return this.filter(node, dates(span));
      }
    }
  }

  comma(position: number): void {
    if (this.gone.some(({ from, to }) => position >= from && position < to)) return;
    const reason = "a comma separates words, and is sent as a space";
    this.items.push({ construct: "comma", text: ",", position, action: "rewritten", effect: "same", reason });
  }

  private word({ text, fuzzy, at }: Extract<Expression, { kind: "word" }>): void {
    const isPlain = !/[*?$]/.test(text) && fuzzy === null;
    if (!isPlain) this.drop("wildcard", at);
    const word = bare(text);
    if (word !== "") this.words.push(word);
  }

  private operators(operators: readonly (Operator | null)[]): void {
    for (const operator of operators) if (operator) this.drop("case", operator.at);
  }

  private field(node: Field, top: boolean): void {
    if (wordFields.has(node.tag)) {
      this.drop("field", tagOf(node, this.text));
      return this.expression(node.value, false);
    }
    const listed = node.tag === "dt" && top ? (valuesOf(node.value) ?? []).map(workType) : [];
    const known = types(listed.filter((word) => word !== undefined));
    if (known.length > 0 && known.length === listed.length) return this.filter(node, known);
    this.drop("field", node.at);
    this.gone.push(node.at);
  }

  private filter({ at }: { at: Place }, filters: string[]): void {
    this.filters.push(...filters);
    const reason = `sent as ${filters.join(",")}`;
    this.items.push({ ...this.item("field", at), action: "rewritten", effect: "same", reason });
  }

  private drop(construct: Construct, at: Place): void {
    this.items.push({
      ...this.item(construct, at),
      action: "dropped",
      effect: "unknown",
      reason: CROSSREF_RANKS,
    });
  }

  private item(construct: Construct, at: Place): Pick<ReportItem, "construct" | "text" | "position"> {
    return { construct, text: this.text.slice(at.from, at.to), position: at.from };
  }
}

/** Where the tag itself stands: `TI=`, or `[ti]`. */
function tagOf({ at, value }: Field, text: string): Place {
  if (value.at.from === at.from) return { from: value.at.to, to: at.to };
  const head = text.slice(at.from, value.at.from);
  return { from: at.from, to: at.from + head.replace(/[\s(]+$/, "").length };
}

// Wildcards mean nothing here; what stands before the first one is a word people will have meant.
function bare(word: string): string {
  const stem = word.split(/[*?$]/)[0] ?? "";
  return stem.length < word.length && stem.length < 3 ? "" : stem;
}
