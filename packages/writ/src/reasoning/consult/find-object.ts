const mostStarts = 200;
// Two hundred objects within each other may each parse to its end and fail there; nobody answers so.
const mostParsed = 16 * 1024 * 1024;

/** The first balanced object that parses and is wanted; objects within a failing one are tried too. Pure. */
export function findObject(
  text: string,
  isWanted: (object: Record<string, unknown>) => boolean,
): Record<string, unknown> | undefined {
  const starts = startsIn(text);
  const ends = new Ends(text, starts.at(-1) ?? 0);
  let parsed = 0;
  for (const start of starts) {
    const end = ends.of(start);
    if (end < 0) continue;
    parsed += end - start;
    if (parsed > mostParsed) return undefined;
    const found = objectIn(text.slice(start, end + 1));
    if (found && isWanted(found)) return found;
  }
  return undefined;
}

function startsIn(text: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf("{"); at >= 0 && starts.length < mostStarts; at = text.indexOf("{", at + 1))
    starts.push(at);
  return starts;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Where objects end; what one pass through the text has shown is not looked for again. */
class Ends {
  readonly #text: string;
  readonly #last: number;
  readonly #known = new Map<number, number>();
  /** From here on a string that opens has no end. */
  #unended = Number.POSITIVE_INFINITY;

  /** `last` is the last beginning that will be asked for. */
  constructor(text: string, last: number) {
    this.#text = text;
    this.#last = last;
  }

  /** Where the object that begins here ends, or -1; braces within its strings do not count. */
  of(start: number): number {
    if (!this.#known.has(start)) this.#read(start);
    return this.#known.get(start) ?? -1;
  }

  #read(start: number): void {
    const open: number[] = [];
    for (let i = start; i < this.#text.length; i++) {
      const code = this.#text.charCodeAt(i);
      if (code === 34) i = this.#endOfString(i);
      else if (code === 123) open.push(i);
      else if (code === 125) {
        const began = open.pop() ?? start;
        if (began <= this.#last) this.#known.set(began, i);
        if (open.length === 0) return;
      }
      if (i < 0) break;
    }
    for (const began of open) if (began <= this.#last) this.#known.set(began, -1);
  }

  #endOfString(start: number): number {
    if (start > this.#unended) return -1;
    for (let i = start + 1; i < this.#text.length; i++) {
      const code = this.#text.charCodeAt(i);
      if (code === 92) i++;
      else if (code === 34) return i;
    }
    this.#unended = start;
    return -1;
  }
}
