/** One top-level object of a text, as it is written. */
export interface JsonPart {
  entry: number;
  line: number;
  text: string;
  /** False when the file ends within it. */
  closed: boolean;
}

const marks = /["\\{}\n]/g;
const longestEntry = 4 * 1024 * 1024;

/**
 * The objects of a JSON array, or of JSON lines, without reading them: balanced braces, strings left alone. An
 * object that never ends, or is larger than any reference, is given as far as it goes.
 */
export async function* splitJson(pieces: AsyncIterable<string>): AsyncGenerator<JsonPart> {
  const state = { depth: 0, quoted: false, line: 1, begun: 1, entry: 0 };
  let parts: string[] = [];
  let length = 0;
  let escaped = false;
  for await (const piece of pieces) {
    let from = 0;
    // An escape that a border of pieces cut in two.
    marks.lastIndex = escaped ? 1 : 0;
    escaped = false;
    for (let mark = marks.exec(piece); mark; mark = marks.exec(piece)) {
      const end = mark.index + 1;
      if (mark[0] === "\n") state.line += 1;
      else if (mark[0] === "\\") {
        if (!state.quoted) continue;
        escaped = end === piece.length;
        marks.lastIndex = end + 1;
      } else if (mark[0] === '"') {
        if (state.depth > 0) state.quoted = !state.quoted;
      } else if (!state.quoted && mark[0] === "{") {
        if (state.depth === 0) {
          from = mark.index;
          state.begun = state.line;
          state.entry += 1;
        }
        state.depth += 1;
      } else if (!state.quoted && state.depth > 0) {
        state.depth -= 1;
        if (state.depth > 0) continue;
        parts.push(piece.slice(from, end));
        yield { entry: state.entry, line: state.begun, text: parts.join(""), closed: true };
        parts = [];
        length = 0;
        from = end;
      }
    }
    if (state.depth > 0 && length < longestEntry) {
      parts.push(piece.slice(from));
      length += piece.length - from;
    }
  }
  if (state.depth > 0) yield { entry: state.entry, line: state.begun, text: parts.join(""), closed: false };
}
