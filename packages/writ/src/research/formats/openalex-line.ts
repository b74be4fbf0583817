import { limits } from "../model.ts";

const name = '"abstract_inverted_index":';

/**
 * One line of a dump as JSON, with the words of its abstract as a list; undefined where it is no JSON.
 *
 * The index of the abstract is read apart. It is an object whose names are words, a hundred others in every line, and
 * the engine keeps a shape for each sequence of names that it meets: reading it as JSON takes many times as long as
 * all the rest of the line.
 */
export function parseLine(line: string): unknown {
  try {
    const apart = indexApart(line);
    const work: unknown = JSON.parse(apart ? apart.rest : line);
    if (apart && isMarked(work)) work.abstract_inverted_index = apart.words;
    return work;
  } catch {
    return undefined;
  }
}

// The name may also stand in an object within the work; that one is nobody's abstract.
function isMarked(work: unknown): work is { abstract_inverted_index: unknown } {
  return (work as { abstract_inverted_index?: unknown } | null)?.abstract_inverted_index === true;
}

/** The words of the first index, and the line with `true` in its place; undefined where JSON itself has to be asked. */
function indexApart(line: string): { rest: string; words: string[] } | undefined {
  const at = line.indexOf(name);
  // Within a text its quotes would be escaped: behind one of these it is a name.
  if (at < 1 || !"{, ".includes(line[at - 1] ?? "")) return undefined;
  const start = behindSpace(line, at + name.length);
  if (line[start] !== "{") return undefined;
  const words: string[] = [];
  const end = readIndex(line, start + 1, words);
  return end === undefined ? undefined : { rest: `${line.slice(0, start)}true${line.slice(end + 1)}`, words };
}

/** Puts each word of an index in its places; answers where its brace is, or undefined where it is written otherwise. */
function readIndex(line: string, from: number, words: string[]): number | undefined {
  for (let at = from; ; at = behindSpace(line, at + 1)) {
    if (line[at] !== '"') return undefined;
    const close = closingQuote(line, at + 1);
    if (line[close + 1] !== ":") return undefined;
    const text = line.slice(at + 1, close);
    const word = text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
    at = behindSpace(line, close + 2);
    if (line[at] !== "[") return undefined;
    do {
      at = behindSpace(line, at + 1);
      const begin = at;
      let place = 0;
      for (let digit = digitAt(line, at); digit >= 0 && digit <= 9; digit = digitAt(line, at)) {
        place = place * 10 + digit;
        at += 1;
      }
      if (at === begin) return undefined;
      if (place <= limits.abstractPositions) words[place] = word;
    } while (line[at] === ",");
    if (line[at] !== "]") return undefined;
    at += 1;
    if (line[at] === "}") return at;
    if (line[at] !== ",") return undefined;
  }
}

const digitAt = (line: string, at: number): number => line.charCodeAt(at) - 48;

// Dumps have no space there, other programs one.
const behindSpace = (line: string, at: number): number => (line[at] === " " ? at + 1 : at);

/** The next quote that is not escaped; -1 without one. */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); ; at = line.indexOf('"', at + 1)) {
    let slashes = at - 1;
    while (line[slashes] === "\\") slashes -= 1;
    if (at === -1 || (at - slashes) % 2 === 1) return at;
  }
}
