const margin = "  ";
/** No line of help is longer, however wide the terminal is. */
const widest = 100;

/** How a page of help is set, at one width. */
export interface HelpPage {
  /** A name and the text beside it; below it where the name is too long or the page too narrow. */
  row(name: string, text: string): string;
  /** The same with the text in a column of its own. */
  rowAt(column: number, name: string, text: string): string;
  /** A paragraph that stands for itself. */
  paragraph(text: string): string;
  /** Text within a section. */
  text(text: string): string;
  section(title: string, lines: readonly string[]): string | undefined;
}

/** A page of so many columns. What may be pasted, and a word that is longer than a line, is never broken. */
export function helpPage(columns = widest): HelpPage {
  const width = Math.min(columns, widest);
  const inner = width - margin.length;
  // On a page too narrow for two columns the text stands below its name.
  const narrow = width < 60;
  const rowAt = (wanted: number, name: string, text: string): string => {
    const column = narrow ? 4 : wanted;
    const body = wrap(text, " ".repeat(column), inner);
    return name.length > column - 2
      ? `${wrap(name, "", inner)}\n${body}`
      : name.padEnd(column) + body.slice(column);
  };
  return {
    rowAt,
    row: (name, text) => rowAt(28, name, text),
    paragraph: (text) => wrap(text, "", width),
    text: (text) => wrap(text, "", inner),
    section(title, lines) {
      if (lines.length === 0) return undefined;
      return `${wrap(title, "", width)}\n${margin}${lines.join("\n").replaceAll("\n", `\n${margin}`)}`;
    },
  };
}

function wrap(text: string, indent: string, limit: number): string {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(/ +/)) {
      if (line !== "" && indent.length + line.length + 1 + word.length > limit) {
        lines.push(indent + line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line === "" ? "" : indent + line);
  }
  return lines.join("\n");
}
