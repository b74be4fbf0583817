/** Cuts BibTeX into entries, without reading them: balanced braces, strings and comments. */

/** One entry as it is written, or one that never ends. */
export interface BibtexPart {
  kind: "entry" | "string";
  /** Of the entry, from 1, strings not counted. */
  entry: number;
  line: number;
  /** Lower case, without the at sign. */
  type: string;
  key: string;
  /** What stands behind the key and its comma, the closing brace not included. */
  body: string;
  /** Why it cannot be read, when it cannot. */
  bad?: string;
}

// An entry this long has lost its end.
const longestEntry = 4 * 1024 * 1024;
const opening = /@\s*([A-Za-z]+)\s*([{(])/g;
const marks = /[\\{}"%)\n]/g;
// Where a new entry begins at the start of a line, the one before has lost its closing brace.
const nextEntry = /[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(][ \t]*[^\s,{}()"=]*[ \t]*,/y;
const keyed = /^\s*([^,={}"]*?)\s*(?:,|$)/;
// A key and then the first field, with nothing but space between.
const unparted = /^\s*([^\s,={}"]+)\s+([A-Za-z][\w-]*)\s*=/;

/** The entries and @string definitions of a file, in order; comments and preambles are passed over. */
export async function* splitBibtex(pieces: AsyncIterable<string>): AsyncGenerator<BibtexPart> {
  const at = { line: 1, entry: 0 };
  let text = "";
  const drain = function* (ended: boolean): Generator<BibtexPart> {
    let from = 0;
    for (;;) {
      const found = nextPart(text, from, ended);
      if (found === undefined) break;
      at.line += newlines(text, from, found.begin);
      if (found.part) yield numbered(found.part, at);
      at.line += newlines(text, found.begin, found.end);
      from = found.end;
    }
    const keep = Math.max(from, restFrom(text, from));
    at.line += newlines(text, from, keep);
    text = text.slice(keep);
  };
  for await (const piece of pieces) {
    text += piece;
    yield* drain(false);
  }
  yield* drain(true);
}

function numbered(part: Part, at: { line: number; entry: number }): BibtexPart {
  if (part.kind === "entry") at.entry += 1;
  return { ...part, entry: at.entry, line: at.line };
}

type Part = Omit<BibtexPart, "entry" | "line">;

/** The next part at or behind `from`, and where it begins and ends; undefined when more text is needed. */
function nextPart(
  text: string,
  from: number,
  ended: boolean,
): { begin: number; end: number; part?: Part } | undefined {
  opening.lastIndex = from;
  const head = opening.exec(text);
  if (!head) return undefined;
  const type = (head[1] ?? "").toLowerCase();
  const inside = opening.lastIndex;
  const close = closingOf(text, inside, head[2] === "(");
  const begin = head.index;
  if (close.kind === "open" && !ended && text.length - begin < longestEntry) return undefined;
  const end = close.kind === "closed" ? close.at + 1 : close.at;
  if (type === "comment" || type === "preamble") return { begin, end };
  const body = text.slice(inside, close.at);
  if (type === "string") {
    return { begin, end, ...(close.kind === "closed" && { part: { kind: "string", type, key: "", body } }) };
  }
  const key = keyed.exec(body);
  const joined = key ? null : unparted.exec(body);
  const bad =
    close.kind !== "closed"
      ? "Its closing brace is missing."
      : joined && `Its syntax is broken: there is no comma between its key and ${joined[2]}.`;
  return {
    begin,
    end,
    part: {
      kind: "entry",
      type,
      key: (key ?? joined)?.[1] ?? "",
      body: key ? body.slice(key[0].length) : body,
      ...(bad && { bad }),
    },
  };
}

/**
 * Where an entry ends. Backslashes before braces, quotes at the outer level and comments between fields count
 * as the parser counts them.
 */
function closingOf(
  text: string,
  from: number,
  round: boolean,
): { kind: "closed" | "lost" | "open"; at: number } {
  let depth = 1;
  let quoted = false;
  marks.lastIndex = from;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const at = mark.index;
    switch (mark[0]) {
      case "\\":
        if (/[\\{}]/.test(text[at + 1] ?? "")) marks.lastIndex = at + 2;
        break;
      case "{":
        depth += 1;
        break;
      case "}":
        if (depth > 1) depth -= 1;
        else if (!quoted && !round) return { kind: "closed", at };
        break;
      case ")":
        if (round && depth === 1 && !quoted) return { kind: "closed", at };
        break;
      case '"':
        if (depth === 1) quoted = !quoted;
        break;
      case "%":
        if (depth === 1 && !quoted) marks.lastIndex = endOfLine(text, at);
        break;
      default:
        nextEntry.lastIndex = at + 1;
        if (nextEntry.test(text)) return { kind: "lost", at: at + 1 };
    }
  }
  return { kind: "open", at: text.length };
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf("\n", from);
  return found === -1 ? text.length : found;
}

/** Without an entry that has begun, only what may be the beginning of one is kept. */
function restFrom(text: string, from: number): number {
  opening.lastIndex = from;
  if (opening.test(text)) return from;
  const sign = text.lastIndexOf("@");
  return sign >= from && text.length - sign < 100 ? sign : text.length;
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
