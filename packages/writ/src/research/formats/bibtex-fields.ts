/** What is read of an entry's text fields: accents and commands resolved, names in parts. */
export interface BibtexTexts {
  title?: string;
  author?: BibtexName[];
  "container-title"?: string;
  abstract?: string;
  keyword?: string;
  publisher?: string | string[];
}

export interface BibtexName {
  family?: string;
  given?: string;
  suffix?: string;
  "non-dropping-particle"?: string;
}

type Fields = Readonly<Record<string, string>>;

/** The fields that hold text, under the one name each has for an article in biblatex. */
export function textFields(fields: Fields): Record<string, string> {
  const texts: Record<string, string | undefined> = {
    title: [fields.title, fields.subtitle].filter(Boolean).join(": "),
    author: fields.author,
    journaltitle: fields.journal || fields.journaltitle || fields.booktitle,
    abstract: fields.abstract,
    keywords: ["author_keywords", "keywords", "keyword", "keywords-plus"]
      .flatMap((name) => fields[name] || [])
      .join("; "),
    publisher: fields.publisher || fields.institution || fields.school || fields.organization,
  };
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, value]) => {
      const text = tidied(value ?? "");
      return text.trim() === "" ? [] : [[name, text]];
    }),
  );
}

// Commands that the parser leaves as they are, and what they look like in print.
const printed: ReadonlyMap<string, string> = new Map([
  ...["relax", "left", "right", "mbox", "/", "!", "-"].map((name): [string, string] => [name, ""]),
  ...["quad", "qquad", "\\", ",", ";", ":"].map((name): [string, string] => [name, " "]),
  ...["LaTeX", "TeX", "BibTeX"].map((name): [string, string] => [name, name]),
  ...Object.entries({ slash: "/", cdot: "·", cdotp: "·", leq: "≤", geq: "≥", le: "≤", ge: "≥", pm: "±" }),
  ...Object.entries({
    times: "×",
    to: "→",
    infty: "∞",
    approx: "≈",
    neq: "≠",
    sim: "∼",
    circ: "°",
    aa: "å",
    AA: "Å",
  }),
]);
// A space behind a command of letters belongs to the command.
const command = /\\(?:([A-Za-z]+) ?|([\\/!,;:-]))/g;

/** A value without the commands that only space it out or stand for one sign. */
function tidied(value: string): string {
  if (!value.includes("\\")) return value;
  return value.replaceAll(
    command,
    (all, word?: string, sign?: string) => printed.get(word ?? sign ?? "") ?? all,
  );
}

// What makes a value more than the text it shows; names have a grammar of their own.
const marked = /[\\{}$~]|--|``|''/;

/** Whether a value reads as it is written, so that nothing need parse it. */
export function isPlain(name: string, value: string): boolean {
  return !marked.test(value) && (name !== "author" || namesIn(value).every(isPlainName));
}

function namesIn(value: string): string[] {
  return value.trim().split(/\s+and\s+/i);
}

// Where the family name stands first, nothing is left to be found out.
function isPlainName(name: string): boolean {
  return name === "others" || (!name.includes("=") && /^[^,]*\S[^,]*,[^,]*\S[^,]*$/.test(name));
}

/** A text field that the parser refuses, as far as it can be read without it. */
export function plainField(name: string, value: string): BibtexTexts {
  const text = withoutCommands(value);
  switch (name) {
    case "title":
      return { title: text };
    case "author":
      return { author: namesIn(value).map((one) => plainName(withoutCommands(one))) };
    case "journaltitle":
      return { "container-title": text };
    case "abstract":
      return { abstract: text };
    case "keywords":
      return { keyword: text };
    case "publisher":
      return { publisher: text };
    default:
      return {};
  }
}

function plainName(name: string): BibtexName {
  const [family = "", ...given] = name.split(",");
  if (given.length > 0) return { family, given: given.at(-1) ?? "" };
  const words = name.trim().split(/\s+/);
  const first = words.slice(0, -1).join(" ");
  return { family: words.at(-1) ?? "", ...(first !== "" && { given: first }) };
}

/** A value without braces; escaped letters stand for themselves, commands are left out. */
function withoutCommands(value: string): string {
  return value
    .replaceAll(/\\([&%$#_{}])/g, "$1")
    .replaceAll(/\\[A-Za-z]+\s*/g, "")
    .replaceAll(/\\./g, "")
    .replaceAll(/[{}]/g, "")
    .replaceAll("~", " ");
}

/** A value that is no text, such as a DOI or an address: without braces and escapes. */
export function verbatim(value: string | undefined): string | null {
  if (value === undefined) return null;
  const text = value
    .replaceAll(/\\([&%$#_{}~])/g, "$1")
    .replaceAll(/^\{+|\}+$/g, "")
    .trim();
  return text || null;
}
