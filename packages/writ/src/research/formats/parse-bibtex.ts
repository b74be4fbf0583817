import { type BibtexTexts, isPlain, plainField, textFields } from "./bibtex-fields.ts";
import { halving } from "./halving.ts";
import type { BibtexPart } from "./split-bibtex.ts";
import { wantedFields } from "./split-fields.ts";

/** An entry as Citation.js reads it, or why it cannot. */
export type ParsedBibtex = { part: BibtexPart } & (
  | { fields: Readonly<Record<string, string>>; texts: BibtexTexts }
  | { bad: string }
);

interface Raw {
  type: string;
  label: string;
  properties: Record<string, string | number>;
}

/**
 * Loads Citation.js as a parser of groups of entries. The type of every input is said, so that nothing is
 * guessed at or fetched. `strings` are the definitions that stand before the entries.
 */
export async function loadBibtexParser(): Promise<
  (parts: readonly BibtexPart[], strings: string) => ParsedBibtex[]
> {
  const { plugins } = await import("@citation-js/core");
  await import("@citation-js/plugin-bibtex");
  const { constants } = plugins.config.get("@bibtex") as {
    constants: { formatting: Record<string, [string, string]> };
  };
  // Titles and names are plain text here: \emph{x} is x.
  for (const word of Object.keys(constants.formatting)) {
    if (word !== "quotes") constants.formatting[word] = ["", ""];
  }
  const fieldsOf = (text: string) =>
    plugins.input.chain(text, {
      forceType: "@bibtex/text",
      target: "@bibtex/entries+list",
      generateGraph: false,
    }) as Raw[];
  const textsOf = (entries: readonly Raw[]) =>
    plugins.input.chain(entries, {
      forceType: "@biblatex/entries+list",
      generateGraph: false,
    }) as BibtexTexts[];
  // Most texts have no markup, and parsing them takes longer than all the rest.
  const readTexts = (some: readonly Record<string, string>[]): BibtexTexts[] => {
    const all = some.map((fields) => Object.entries(textFields(fields)));
    const marked = all.map((fields) => fields.filter(([name, value]) => !isPlain(name, value)));
    const read = textsOf(
      marked
        .filter((fields) => fields.length > 0)
        .map((fields) => ({
          type: "article",
          label: "x",
          properties: Object.fromEntries(fields),
        })),
    );
    let next = 0;
    return all.map((fields, at) => {
      const texts: BibtexTexts = { ...(marked[at]?.length ? read[next++] : {}) };
      for (const [name, value] of fields) {
        if (isPlain(name, value)) Object.assign(texts, plainField(name, value));
      }
      return texts;
    });
  };

  return (parts, strings) => {
    const read = halving<BibtexPart, ParsedBibtex | Good>(parts, {
      all: (some) => good(some, fieldsOf(`${strings}\n${some.map(source).join("\n")}`)),
      alone: (part, error) => ({ part, bad: reasonOf(error) }),
    });
    const fine = read.filter((one): one is Good => "fields" in one);
    const texts = halving<Good, BibtexTexts>(fine, {
      all: (some) => readTexts(some.map(({ fields }) => fields)),
      alone: ({ fields }) => fieldByField(fields, readTexts),
    });
    const textsBy = new Map(fine.map((one, at) => [one.part, texts[at] ?? {}]));
    return read.map((one) => ("fields" in one ? { ...one, texts: textsBy.get(one.part) ?? {} } : one));
  };
}

interface Good {
  part: BibtexPart;
  fields: Record<string, string>;
}

function source({ type, body }: BibtexPart): string {
  // The key is told apart already, and may be one that the parser does not take.
  return `@${type}{x,\n${wantedFields(body)}}`;
}

function good(parts: readonly BibtexPart[], raw: readonly Raw[]): Good[] {
  if (raw.length !== parts.length) throw new SyntaxError("Entries run into one another.");
  return parts.map((part, at) => ({
    part,
    fields: Object.fromEntries(
      Object.entries(raw[at]?.properties ?? {}).map(([name, value]) => [name, String(value)]),
    ),
  }));
}

/** An entry of which some text is odd: that text as it is written, without its commands. */
function fieldByField(
  fields: Record<string, string>,
  read: (some: readonly Record<string, string>[]) => BibtexTexts[],
): BibtexTexts {
  const texts: BibtexTexts = {};
  for (const [name, value] of Object.entries(textFields(fields))) {
    try {
      Object.assign(texts, read([{ [name]: value }])[0]);
    } catch {
      Object.assign(texts, plainField(name, value));
    }
  }
  return texts;
}

/** The parser's own reason in one line; what it shows of the file beside it is left out. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const expected = /expected "?([^",]+)"?, got "?([^"\s]+)/.exec(message);
  if (expected) return `Its syntax is broken: ${expected[1]} was expected, not ${expected[2]}.`;
  return `Its syntax is broken: ${(message.split("\n")[0] ?? "").slice(0, 120)}.`;
}
