/** Bytes to text with line feeds as line ends, a piece at a time. */

// Lines longer than this are cut between two characters.
const longLine = 64 * 1024;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The text of a file. UTF-8 and UTF-16 where a mark says so, else UTF-8; a line that is no UTF-8 is read as
 * Windows-1252, and `odd` is told of it.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, odd: () => void): AsyncGenerator<string> {
  const { head, rest } = await headOf(bytes, 2);
  const mark = ((head[0] ?? 0) << 8) | (head[1] ?? 0);
  const pieces =
    mark === 0xfffe ? marked(rest, "utf-16le") : mark === 0xfeff ? marked(rest, "utf-16be") : utf8(rest, odd);
  yield* lineFeeds(pieces);
}

/** The first bytes of a stream, at least `size` where there are as many, and the whole stream again. */
export async function headOf(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): Promise<{ head: Uint8Array; rest: AsyncIterable<Uint8Array> }> {
  const items = bytes[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  let over = false;
  while (head.length < size && !over) {
    const next = await items.next();
    if (next.done) over = true;
    else head = Buffer.concat([head, next.value]);
  }
  const rest = async function* () {
    try {
      if (head.length > 0) yield head;
      while (!over) {
        const next = await items.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await items.return?.();
    }
  };
  return { head, rest: rest() };
}

async function* marked(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* utf8(bytes: AsyncIterable<Uint8Array>, odd: () => void): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytes) {
    const block = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = wholePart(block);
    if (end > 0) yield decodeBlock(block.subarray(0, end), odd);
    rest = block.subarray(end);
  }
  if (rest.length > 0) yield decodeBlock(rest, odd);
}

/** How much of a block ends where a line or, in long lines, a character does. */
function wholePart(block: Uint8Array): number {
  const line = Math.max(block.lastIndexOf(0x0a), block.lastIndexOf(0x0d)) + 1;
  if (line > 0 || block.length < longLine) return line;
  let end = block.length;
  // Back over the bytes that continue a character, and over the one that begins it.
  for (let back = 1; back <= 4; back += 1) {
    const byte = block[end - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      end -= back;
      break;
    }
  }
  return end;
}

function decodeBlock(block: Uint8Array, odd: () => void): string {
  try {
    return strictUtf8.decode(block);
  } catch {
    return decodeLines(block, odd);
  }
}

function decodeLines(block: Uint8Array, odd: () => void): string {
  const old = new TextDecoder("windows-1252");
  let text = "";
  for (let from = 0; from < block.length; ) {
    const found = block.indexOf(0x0a, from);
    const end = found === -1 ? block.length : found + 1;
    const line = block.subarray(from, end);
    try {
      text += strictUtf8.decode(line);
    } catch {
      odd();
      text += old.decode(line);
    }
    from = end;
  }
  return text;
}

async function* lineFeeds(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  for await (const piece of pieces) {
    const text = held + piece;
    held = text.endsWith("\r") ? "\r" : "";
    const whole = held === "" ? text : text.slice(0, -1);
    if (whole !== "") yield whole.includes("\r") ? whole.replaceAll(/\r\n?/g, "\n") : whole;
  }
  if (held !== "") yield "\n";
}

/** A line and its number, from 1. */
export interface Line {
  text: string;
  number: number;
}

/** The lines of a text that comes in pieces. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  let parts: string[] = [];
  let number = 1;
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
      parts.push(piece.slice(from, end));
      yield { text: parts.length === 1 ? (parts[0] ?? "") : parts.join(""), number };
      parts = [];
      number += 1;
      from = end + 1;
    }
    if (from < piece.length) parts.push(piece.slice(from));
  }
  if (parts.length > 0) yield { text: parts.join(""), number };
}
