const marks = /[\\{}"%,]/g;

/** The fields that are read of an entry; what a file has besides may be written as its program likes. */
const wanted: ReadonlySet<string> = new Set(
  (
    "title subtitle author writauthors journal journaltitle booktitle abstract keywords keyword author_keywords " +
    "keywords-plus publisher institution school organization date year month day doi eprint archiveprefix " +
    "eprinttype pmid openalex language langid entrysubtype volume number issue pages issn url"
  ).split(" "),
);

/** The wanted fields of an entry as they are written, `name = value,` each; the first of a name counts. */
export function wantedFields(body: string): string {
  const names = new Set<string>();
  return segments(body)
    .flatMap((segment) => {
      const found = /^(?:\s|%.*)*([^\s=%]+)\s*=([\s\S]*)$/.exec(segment);
      const name = (found?.[1] ?? "").toLowerCase();
      if (!wanted.has(name) || names.has(name)) return [];
      names.add(name);
      return [`${name} = ${found?.[2]?.trim() ?? ""},\n`];
    })
    .join("");
}

/** What stands between commas at the outer level; braces, strings and comments count as they do for entries. */
function segments(body: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  marks.lastIndex = 0;
  for (let mark = marks.exec(body); mark; mark = marks.exec(body)) {
    const at = mark.index;
    if (mark[0] === "\\") {
      if (/[\\{}]/.test(body[at + 1] ?? "")) marks.lastIndex = at + 2;
    } else if (mark[0] === "{") depth += 1;
    else if (mark[0] === "}") depth -= 1;
    else if (depth > 0) continue;
    else if (mark[0] === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (mark[0] === "%") {
      const end = body.indexOf("\n", at);
      marks.lastIndex = end === -1 ? body.length : end;
    } else {
      parts.push(body.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(body.slice(from));
  return parts;
}
