import { fail, type Warning } from "../../contract/index.ts";
import { limits, type SourceId } from "../model.ts";
import type { Ast } from "./ast.ts";
import { CROSSREF_RANKS, translateCrossref } from "./crossref.ts";
import { translateOpenAlex } from "./openalex.ts";
import { parseEquation } from "./parse.ts";
import { boundError, emptyError } from "./refuse.ts";
import { type ReportItem, unsupported, warningOf } from "./report.ts";
import { translateSemanticScholar } from "./semanticscholar.ts";
import { encodedBytes } from "./split.ts";
import type { Draft, TranslateOptions, Translation } from "./translation.ts";

const translators: Readonly<Record<SourceId, (ast: Ast, options: TranslateOptions) => Draft>> = {
  openalex: translateOpenAlex,
  crossref: translateCrossref,
  semanticscholar: translateSemanticScholar,
};

// A filter of one's own cannot be cut; OpenAlex refuses URLs of more than 4,094 bytes.
const NATIVE_BYTES = 3_400;

/** Reads an equation and says it to a source; with `native` the text is OpenAlex's filter and is not read. */
export function translateEquation(
  source: SourceId,
  text: string,
  options: TranslateOptions = {},
): Translation {
  return options.native
    ? translateNative(source, text, options)
    : translate(source, parseEquation(text), options);
}

/**
 * Says an equation to a source. Pure: the same equation and options give the same requests and report.
 *
 * The report has an item for each part that is not sent as it was typed and for each option that adds to the
 * query, in the order of the equation, options last. Throws E_EQUATION_UNSUPPORTED when nothing is left to look
 * for, when the request cannot be made short enough, or, with `strict`, when the set of results would change.
 */
function translate(source: SourceId, ast: Ast, options: TranslateOptions = {}): Translation {
  const draft = translators[source](ast, options);
  // Two items without a position differ by NaN, and stay in their order.
  const report = draft.report.toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || 0);
  requireFaithful(report, options);
  return { source, ...draft, report };
}

/** The one warning about everything that is not asked as it was typed; null when nothing is to be said. */
export function translationWarning({ source, requests, report }: Translation): Warning | null {
  const words = requests[0]?.params?.["query.bibliographic"] ?? "";
  // Even words side by side are ranked and not joined there.
  const ranked =
    source === "crossref" && (words.includes(" ") || report.some(({ effect }) => effect !== "same"));
  return warningOf(report, ranked ? CROSSREF_RANKS : undefined);
}

function requireFaithful(report: readonly ReportItem[], { strict }: TranslateOptions): void {
  const changed = report.filter(({ effect }) => effect !== "same");
  if (!strict || changed.length === 0) return;
  throw unsupported(
    "The source cannot be asked exactly what the equation says, and --strict was given.",
    changed,
  );
}

function translateNative(source: SourceId, typed: string, options: TranslateOptions): Translation {
  const filter = typed.trim();
  if (filter === "") throw emptyError();
  const bytes = Buffer.byteLength(filter, "utf8");
  if (bytes > limits.equationBytes) throw boundError("bytes", limits.equationBytes, bytes);
  const inputs = besideNative(source, options);
  if (inputs.length > 0)
    throw fail("E_CONFLICTING_INPUT", {
      message: `--native sends a filter of OpenAlex as it is; it does not go with ${inputs.join(", ")}.`,
      cause: "What is not read cannot be added to, nor be said to another source.",
      remediation: `Write it into the filter, or leave out ${inputs.join(", ")}.`,
      details: { inputs: ["--native", ...inputs] },
    });
  if (encodedBytes(filter) > (options.urlBytes ?? NATIVE_BYTES))
    throw unsupported("The filter is longer than a URL may be, and is not read, so it cannot be cut.", []);
  const reason = "sent to OpenAlex as it is";
  const item: ReportItem = {
    construct: "native",
    text: filter,
    position: 0,
    action: "kept",
    effect: "same",
    reason,
  };
  return { source, requests: [{ filter }], executedQuery: filter, report: [item] };
}

function besideNative(source: SourceId, options: TranslateOptions): string[] {
  const { exclude = [], language = [], type = [] } = options;
  const given: [string, boolean][] = [
    [`--source ${source}`, source !== "openalex"],
    ["--exclude", exclude.length > 0],
    ["--min-year", options.minYear !== undefined],
    ["--max-year", options.maxYear !== undefined],
    ["--language", language.length > 0],
    ["--type", type.length > 0],
  ];
  return given.flatMap(([input, isGiven]) => (isGiven ? [input] : []));
}
