/** One line of a file; positions are bytes, `text` is Latin-1 so that each character is one byte. */
export interface Line {
  text: string;
  start: number;
  /** Where the text ends; the line ending, LF or CRLF, is left out. */
  end: number;
  /** Where the next line begins. */
  next: number;
}

/** Splits bytes into lines; a byte-order mark belongs to no line. */
export function linesOf(bytes: Buffer): Line[] {
  const text = bytes.toString("latin1");
  const lines: Line[] = [];
  let start = text.startsWith("\xEF\xBB\xBF") ? 3 : 0;
  while (start < text.length) {
    const feed = text.indexOf("\n", start);
    const next = feed === -1 ? text.length : feed + 1;
    const stop = feed === -1 ? text.length : feed;
    const end = feed !== -1 && stop > start && text[stop - 1] === "\r" ? stop - 1 : stop;
    lines.push({ text: text.slice(start, end), start, end, next });
    start = next;
  }
  return lines;
}

const opening = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const closing = /^ {0,3}(`{3,}|~{3,})[ \t\r]*$/;

/**
 * The lines inside fenced code: line index -> index of the line that opened the fence. A fence that is never
 * closed is none, so that one forgotten line does not swallow the rest of a file.
 */
export function fencesOf(lines: readonly Line[]): Map<number, number> {
  const closers = lines.map((line) => closing.exec(line.text)?.[1] ?? "");
  const longest = longestFrom(closers);
  const inside = new Map<number, number>();
  for (let index = 0; index < lines.length; index++) {
    const match = opening.exec(lines[index]?.text ?? "");
    const fence = match?.[1] ?? match?.[2];
    if (fence === undefined || (longest[index + 1]?.[fence[0] as "`" | "~"] ?? 0) < fence.length) continue;
    const opened = index;
    do {
      index++;
      inside.set(index, opened);
    } while (!closes(closers[index] ?? "", fence));
  }
  return inside;
}

function closes(closer: string, fence: string): boolean {
  return closer[0] === fence[0] && closer.length >= fence.length;
}

/** For each line the longest closing fence from there on: tells in one look whether a fence is ever closed. */
function longestFrom(closers: readonly string[]): { "`": number; "~": number }[] {
  const longest: { "`": number; "~": number }[] = [];
  let best = { "`": 0, "~": 0 };
  for (let index = closers.length - 1; index >= 0; index--) {
    const closer = closers[index] ?? "";
    const kind = closer[0];
    if (kind === "`" || kind === "~") best = { ...best, [kind]: Math.max(best[kind], closer.length) };
    longest[index] = best;
  }
  return longest;
}
