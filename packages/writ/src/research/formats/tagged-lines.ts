import { type Line, linesOf } from "./decode.ts";

/** How a format of tagged lines writes an entry: RIS, Web of Science, MEDLINE. */
export interface TaggedDialect {
  /** A line that begins a field: its tag and its value. */
  field: RegExp;
  /** The tag that begins an entry. */
  begins: string;
  /** The tag that ends one, where one does. */
  ends?: string;
  /** Takes what precedes the text away from a line that goes on. */
  indent: RegExp;
}

/** One field of an entry: its first line and those that go on with it. */
export interface TaggedField {
  tag: string;
  lines: string[];
}

export interface TaggedEntry {
  entry: number;
  line: number;
  fields: TaggedField[];
}

/** The entries of a file of tagged lines. What stands between entries is passed over. */
export async function* taggedEntries(
  pieces: AsyncIterable<string>,
  dialect: TaggedDialect,
): AsyncGenerator<TaggedEntry> {
  let open: TaggedEntry | undefined;
  let count = 0;
  for await (const line of linesOf(pieces)) {
    const field = fieldIn(line, dialect);
    if (field?.tag === dialect.begins) {
      if (open) yield open;
      count += 1;
      open = { entry: count, line: line.number, fields: [field] };
    } else if (field && field.tag === dialect.ends) {
      if (open) yield open;
      open = undefined;
    } else if (open && field) {
      open.fields.push(field);
    } else if (open && line.text.trim() !== "") {
      open.fields.at(-1)?.lines.push(line.text.replace(dialect.indent, "").trimEnd());
    }
  }
  if (open) yield open;
}

function fieldIn({ text }: Line, dialect: TaggedDialect): TaggedField | undefined {
  const found = dialect.field.exec(text);
  return found ? { tag: found[1] ?? "", lines: [(found[2] ?? "").trim()] } : undefined;
}

/** Looks into the fields of an entry. */
export interface TaggedValues {
  /** The first field that has a tag of `tags` and says something, lines joined; tags in order of preference. */
  first(...tags: string[]): string | null;
  /** All fields with one of `tags`, in the order of the file, lines joined. */
  all(...tags: string[]): string[];
  /** All their lines, each on its own. */
  lines(...tags: string[]): string[];
}

export function valuesOf({ fields }: TaggedEntry): TaggedValues {
  const having = (tags: readonly string[]) => fields.filter(({ tag }) => tags.includes(tag));
  const all = (...tags: string[]) =>
    having(tags)
      .map(({ lines }) => lines.join(" ").trim())
      .filter((value) => value !== "");
  return {
    all,
    first: (...tags) => tags.flatMap((tag) => all(tag)).at(0) ?? null,
    lines: (...tags) => having(tags).flatMap(({ lines }) => lines.filter((line) => line !== "")),
  };
}
