/** Where Writ's table stands in a TOML text. */
interface TomlTable {
  start: number;
  /** Behind its last line that says something. */
  end: number;
  text: string;
}

/** Why a text is not TOML that can be added to, and where. */
export class TomlFault extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

export interface TomlPlace {
  container: string;
  name: string;
}

/** The table as it is written: one line a key. */
export function printTable({ container, name }: TomlPlace, entry: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${printValue(value)}`);
  return `[${container}.${name}]\n${lines.join("\n")}\n`;
}

function printValue(value: unknown): string {
  // A basic string of TOML has the escapes of JSON, and so has a list of them.
  return Array.isArray(value)
    ? `[${value.map((one) => JSON.stringify(one)).join(", ")}]`
    : JSON.stringify(value);
}

/** Finds the table; throws where its name is taken in another way, or where the text ends inside of something. */
export function findTable(source: string, place: TomlPlace): TomlTable | undefined {
  const lines = readLines(source);
  const { container, name } = place;
  const header = lines.findIndex(({ table }) => table === `${container}.${name}`);
  requireFree(lines, place);
  const first = lines[header];
  if (!first) return undefined;
  const next = lines.findIndex(({ table }, at) => at > header && table !== undefined);
  const own = lines.slice(header, next < 0 ? undefined : next);
  const last = own.findLast(({ blank }) => !blank) ?? first;
  return { start: first.start, end: last.end, text: source.slice(first.start, last.end) };
}

/** Adds the table at the end, behind a blank line; answers what was put between. */
export function appendTable(source: string, table: string): { text: string; gap: string } {
  const eol = source.includes("\r\n") ? "\r\n" : "\n";
  const gap = source === "" ? "" : source.endsWith("\n") ? eol : `${eol}${eol}`;
  return { text: `${source}${gap}${table.replaceAll("\n", eol)}`, gap };
}

/** Takes the table out again, with what was put before it. */
export function removeTable(source: string, table: TomlTable, gap: string | undefined): string {
  const before = source.slice(0, table.start);
  const kept =
    gap !== undefined && gap !== "" && before.endsWith(gap) ? before.slice(0, -gap.length) : before;
  return kept + source.slice(table.end);
}

interface TomlLine {
  start: number;
  end: number;
  /** No key and no header: nothing, or a comment. */
  blank: boolean;
  /** The dotted name of a header. */
  table?: string;
  /** The dotted key of an assignment outside of any table. */
  rootKey?: string;
}

const part = String.raw`(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')`;
const dotted = String.raw`${part}(?:\s*\.\s*${part})*`;
const headerLine = new RegExp(String.raw`^\s*\[\[?\s*(${dotted})\s*\]\]?\s*(?:#.*)?$`);
const keyLine = new RegExp(String.raw`^\s*(${dotted})\s*=\s*(.+)$`);

/** The lines at which something begins; what runs over several lines counts as one. */
function readLines(source: string): TomlLine[] {
  const raw = source.split(/(?<=\n)/);
  const lines: TomlLine[] = [];
  let start = 0;
  let inTable = false;
  for (let at = 0; at < raw.length; at++) {
    const number = at + 1;
    let text = raw[at] ?? "";
    const shown = text.replace(/\r?\n$/, "");
    const header = headerLine.exec(shown)?.[1];
    const key = header === undefined ? keyLine.exec(shown)?.[1] : undefined;
    const blank = /^\s*(?:#.*)?$/.test(shown);
    if (header === undefined && key === undefined && !blank)
      throw new TomlFault("neither a table, a key nor a comment", number);
    if (key !== undefined)
      while (isOpen(text.slice(text.indexOf("=") + 1), number) && at + 1 < raw.length)
        text += raw[++at] ?? "";
    if (key !== undefined && isOpen(text.slice(text.indexOf("=") + 1), number))
      throw new TomlFault("a text or list is not closed", number);
    lines.push({
      start,
      end: start + text.length,
      blank,
      ...(header !== undefined && { table: plainName(header) }),
      ...(key !== undefined && !inTable && { rootKey: plainName(key) }),
    });
    if (header !== undefined) inTable = true;
    start += text.length;
  }
  return lines;
}

function plainName(name: string): string {
  return name.replace(
    new RegExp(String.raw`\s*(\.)?\s*(${part})`, "g"),
    (_all, dot: string | undefined, one: string) => `${dot ?? ""}${one.replace(/^["']|["']$/g, "")}`,
  );
}

/** Whether a value goes on in the next line: an open list, table or multi-line text. */
function isOpen(value: string, line: number): boolean {
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    const rest = value.slice(at);
    const long = /^("""|''')/.exec(rest)?.[1];
    if (long !== undefined) {
      const close = value.indexOf(long, at + 3);
      if (close < 0) return true;
      at = close + 2;
    } else if (rest.startsWith("#")) {
      const end = value.indexOf("\n", at);
      if (end < 0) break;
      at = end;
    } else if (rest[0] === '"' || rest[0] === "'") {
      const whole = /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/.exec(rest)?.[0];
      if (whole === undefined) throw new TomlFault("a text is not closed", line);
      at += whole.length - 1;
    } else if (rest[0] === "[" || rest[0] === "{") depth++;
    else if (rest[0] === "]" || rest[0] === "}") depth--;
  }
  return depth > 0;
}

function requireFree(lines: readonly TomlLine[], { container, name }: TomlPlace): void {
  const at = lines.findIndex(
    ({ rootKey }) =>
      rootKey === container ||
      rootKey === `${container}.${name}` ||
      rootKey?.startsWith(`${container}.${name}.`),
  );
  if (at >= 0)
    throw new TomlFault(`${container} is written in one line, and a table cannot be added to it`, at + 1);
}
