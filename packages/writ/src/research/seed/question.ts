import { type Context, fail } from "../../contract/index.ts";
import { translateEquation, translationWarning } from "../equation/translate.ts";
import type { TranslateOptions, Translation } from "../equation/translation.ts";
import { limits, type SourceId } from "../model.ts";
import type { Source, Want } from "../sources/port.ts";
import { sourceOf } from "../sources/registry.ts";
import type { SeedInput } from "./input.ts";

/** What a source is asked: an equation, what flags and file add to it, and how it is said to the source. */
export interface Question {
  source: Source;
  text: string;
  maxResults: number;
  translation: Translation;
  /** Everything that makes the translation what it is; kept with the run. */
  asked: Record<string, unknown>;
}

const defaultResults = 200;

/** Reads the equation, from the flag or the file; flags win over the file. Pure but for the file. */
export async function questionOf(ctx: Context, given: SeedInput): Promise<Question> {
  const file = given.spec === undefined ? undefined : await readSpec(ctx, given.spec);
  const source = sourceOf(given.source ?? onlyOne(file?.source ?? []));
  const text = given.equation ?? file?.query ?? "";
  const options: TranslateOptions = {
    native: given.native || (file?.native ?? false),
    exclude: first(given.exclude, file?.exclude),
    language: first(given.language, file?.language),
    type: first(given.type, file?.type),
    ...optional("minYear", given.min_year ?? file?.minYear),
    ...optional("maxYear", given.max_year ?? file?.maxYear),
  };
  const translation = translateEquation(source.id, text, { ...options, strict: given.strict });
  const warning = translationWarning(translation);
  if (warning) ctx.warn(warning);
  const maxResults = given.max_results ?? file?.maxResults ?? defaultResults;
  return {
    source,
    text,
    maxResults,
    translation,
    asked: { equation: text, ...options, max_results: maxResults },
  };
}

async function readSpec(ctx: Context, path: string) {
  const { readEquationSpec } = await import("../equation/spec.ts");
  const opened = await ctx.open(path);
  return readEquationSpec(await opened.text(limits.equationBytes * 4), opened.name);
}

/** What a translation wants of its source: one series a request. */
export function wantsOf({ translation, maxResults }: Question, since?: string): Want[] {
  return translation.requests.map((request) => ({
    kind: "search",
    query: request.params ?? { filter: request.filter },
    limit: maxResults,
    ...(since !== undefined && { since }),
  }));
}

/** A seed asks one source; a file that names several is used once for each. */
function onlyOne(named: readonly SourceId[]): SourceId | undefined {
  if (named.length <= 1) return named[0];
  throw fail("E_INVALID_VALUE", {
    message: `The file names ${named.length} sources, and one is asked at a time.`,
    cause: `It names ${named.join(", ")}.`,
    remediation: `Say which, once for each: --source ${named[0]}`,
    details: { field: "source", allowed: named },
  });
}

function first<T>(flags: readonly T[], file: readonly T[] | undefined): readonly T[] {
  return flags.length > 0 ? flags : (file ?? []);
}

function optional<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]?: V });
}
