/** A value of a JSON text, with where it stands. */
export interface JsonNode {
  start: number;
  end: number;
  /** Of an object. */
  members?: JsonMember[];
}

export interface JsonMember {
  key: string;
  /** Where the key begins. */
  start: number;
  value: JsonNode;
}

/** Why a text is not JSON, and where. */
export class JsonFault extends Error {
  readonly line: number;
  constructor(text: string, at: number, message: string) {
    super(message);
    this.line = text.slice(0, at).split("\n").length;
  }
}

// Deeper than any configuration a person writes; a hostile one must not exhaust the stack.
const maxDepth = 64;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** Reads a JSON text to its places; with `comments`, also `//`, block comments and a trailing comma. */
export function scanJson(source: string, { comments }: { comments: boolean }): JsonNode {
  const scanner = createScanner(source, comments);
  const node = scanner.value(0);
  scanner.gap();
  if (scanner.at() < source.length)
    throw new JsonFault(source, scanner.at(), "something stands behind its end");
  return node;
}

function createScanner(source: string, comments: boolean) {
  // A byte-order mark at the very start is one that editors write, and no content.
  let at = source.startsWith("\uFEFF") ? 1 : 0;
  const fault = (message: string) => new JsonFault(source, at, message);

  function gap(): void {
    for (;;) {
      while (/[ \t\r\n]/.test(source[at] ?? "x")) at++;
      if (!comments || source[at] !== "/") return;
      if (source[at + 1] === "/") at = endOf("\n", at) - 1;
      else if (source[at + 1] === "*") at = endOf("*/", at + 2);
      else return;
    }
  }

  function endOf(mark: string, from: number): number {
    const found = source.indexOf(mark, from);
    if (found >= 0) return found + mark.length;
    if (mark === "\n") return source.length + 1;
    throw fault("a comment is not closed");
  }

  function match(pattern: RegExp, what: string): string {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found === undefined) throw fault(`${what} was expected`);
    at += found.length;
    return found;
  }

  function value(depth: number): JsonNode {
    if (depth > maxDepth) throw fault(`it is nested more than ${maxDepth} deep`);
    gap();
    const start = at;
    if (source[at] === "{") return { start, members: list(depth, "}", member), end: at };
    if (source[at] === "[") list(depth, "]", value);
    else if (source[at] === '"') match(text, "a text");
    else match(literal, "a value");
    return { start, end: at };
  }

  function member(depth: number): JsonMember {
    const start = at;
    const key = JSON.parse(match(text, "a key")) as string;
    gap();
    if (source[at] !== ":") throw fault("a colon was expected");
    at++;
    return { key, start, value: value(depth) };
  }

  function list<T>(depth: number, close: string, one: (depth: number) => T): T[] {
    at++;
    const found: T[] = [];
    for (;;) {
      gap();
      if (source[at] === close && (found.length === 0 || comments)) break;
      found.push(one(depth + 1));
      gap();
      if (source[at] === ",") at++;
      else if (source[at] === close) break;
      else throw fault(`a comma or ${close} was expected`);
    }
    at++;
    return found;
  }

  return { gap, value, at: () => at };
}
