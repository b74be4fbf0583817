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

/** How far a text has been read. */
interface Scan {
  source: string;
  comments: boolean;
  at: number;
}

/** Reads a JSON text to its places; with `comments`, also `//`, block comments and a trailing comma. */
export function scanJson(source: string, { comments }: { comments: boolean }): JsonNode {
  // A byte-order mark at the very start is one that editors write, and no content.
  const scan: Scan = { source, comments, at: source.startsWith("\uFEFF") ? 1 : 0 };
  const node = readValue(scan, 0);
  skipGap(scan);
  if (scan.at < source.length) throw fault(scan, "something stands behind its end");
  return node;
}

function fault({ source, at }: Scan, message: string): JsonFault {
  return new JsonFault(source, at, message);
}

function skipGap(scan: Scan): void {
  const { source, comments } = scan;
  for (;;) {
    while (/[ \t\r\n]/.test(source[scan.at] ?? "x")) scan.at++;
    if (!comments || source[scan.at] !== "/") return;
    const next = source[scan.at + 1];
    if (next !== "/" && next !== "*") return;
    const end = next === "/" ? source.indexOf("\n", scan.at) : source.indexOf("*/", scan.at + 2);
    if (end < 0 && next === "*") throw fault(scan, "a comment is not closed");
    scan.at = end < 0 ? source.length : end + (next === "/" ? 1 : 2);
  }
}

function match(scan: Scan, pattern: RegExp, what: string): string {
  pattern.lastIndex = scan.at;
  const found = pattern.exec(scan.source)?.[0];
  if (found === undefined) throw fault(scan, `${what} was expected`);
  scan.at += found.length;
  return found;
}

function readValue(scan: Scan, depth: number): JsonNode {
  if (depth > maxDepth) throw fault(scan, `it is nested more than ${maxDepth} deep`);
  skipGap(scan);
  const start = scan.at;
  const first = scan.source[start];
  if (first === "{") {
    const members = readList(scan, { depth, close: "}", one: readMember });
    return { start, end: scan.at, members };
  }
  if (first === "[") readList(scan, { depth, close: "]", one: readValue });
  else if (first === '"') match(scan, text, "a text");
  else match(scan, literal, "a value");
  return { start, end: scan.at };
}

function readMember(scan: Scan, depth: number): JsonMember {
  const start = scan.at;
  const key = JSON.parse(match(scan, text, "a key")) as string;
  skipGap(scan);
  if (scan.source[scan.at] !== ":") throw fault(scan, "a colon was expected");
  scan.at++;
  return { key, start, value: readValue(scan, depth) };
}

interface List<T> {
  depth: number;
  close: string;
  one(scan: Scan, depth: number): T;
}

function readList<T>(scan: Scan, { depth, close, one }: List<T>): T[] {
  scan.at++;
  const found: T[] = [];
  for (;;) {
    skipGap(scan);
    if (scan.source[scan.at] === close && (found.length === 0 || scan.comments)) break;
    found.push(one(scan, depth + 1));
    skipGap(scan);
    if (scan.source[scan.at] === ",") scan.at++;
    else if (scan.source[scan.at] === close) break;
    else throw fault(scan, `a comma or ${close} was expected`);
  }
  scan.at++;
  return found;
}
