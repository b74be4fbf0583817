import { parseArgs } from "node:util";
import { type Command, fail, type Flag, flagWord } from "../../contract/index.ts";
import { coerce } from "./coerce.ts";
import { type CommonName, commonFlags, programFlags } from "./common-flags.ts";
import { unknownCommand, unknownFlag } from "./unknown.ts";

/** What the words of a command line ask for. */
export type Asked =
  | { kind: "version" }
  | { kind: "manual"; path: string[] }
  | { kind: "completions"; shell: string }
  | { kind: "help"; path: string[] }
  | { kind: "call"; command: Command; input: Record<string, unknown>; common: Common };

/** The common flags that were given, by name. */
export type Common = Partial<Record<CommonName, string | boolean>>;

/** Reads a command line against the table of commands. Throws the error of a malformed one. */
export function parseArguments(argv: readonly string[], rows: readonly Command[]): Asked {
  const path = leadingWords(argv, rows);
  // `writ help research seed` asks for what `writ research seed --help` does.
  if (path[0] === "help") return parseArguments([...dropLeading(argv, ["help"]), "--help"], rows);
  const command = rows.find((row) => row.path.join(" ") === path.join(" "));
  if (!command) return parseProgram(argv, path, rows);

  const own = command.flags.filter((flag) => flag.positional === undefined);
  const { tokens } = tokenize(dropLeading(argv, path), [...own, ...commonFlags]);
  const input: Record<string, unknown> = {};
  const common: Common = {};
  const positionals: string[] = [];
  let open: { flag: Flag; words: number } | undefined;
  for (const token of tokens) {
    if (token.kind === "positional" && open && open.words > 0) {
      take(input, open.flag, coerce(command, open.flag, token.value));
      open.words -= 1;
    } else if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const ownFlag = own.find((flag) => isNamed(flag, token));
    open = ownFlag && { flag: ownFlag, words: (ownFlag.words ?? 1) - 1 };
    if (ownFlag) take(input, ownFlag, valueOf(command, ownFlag, token));
    else {
      const shared = commonFlags.find((flag) => isNamed(flag, token));
      if (token.rawName === "--agent-manifest") return { kind: "manual", path: command.path };
      if (!shared) throw unknownFlag(command, token.rawName);
      const value = valueOf(command, shared, token);
      common[shared.name] = typeof value === "boolean" ? value : String(value);
    }
  }
  if (common.help) return { kind: "help", path: command.path };
  if (common["dry-run"] && !command.mutates) throw unknownFlag(command, "--dry-run");
  takePositionals(command, positionals, input);
  return { kind: "call", command, input, common };
}

/** Where a flag may stand before the command (`writ --json status`), the words of the command are still found. */
function leadingWords(argv: readonly string[], rows: readonly Command[]): string[] {
  const words: string[] = [];
  const valued = new Set(
    [...programFlags, ...commonFlags]
      .filter((flag) => flag.kind !== "boolean")
      .map((flag) => flagWord(flag.name)),
  );
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") break;
    if (word.startsWith("-")) {
      if (valued.has(word)) i++;
      continue;
    }
    const longer = [...words, word].join(" ");
    if (!rows.some((row) => `${row.path.join(" ")} `.startsWith(`${longer} `))) {
      return words.length === 0
        ? [word, ...argv.slice(i + 1).filter((rest) => !rest.startsWith("-"))]
        : words;
    }
    words.push(word);
  }
  return words;
}

function dropLeading(argv: readonly string[], path: readonly string[]): string[] {
  const rest = [...argv];
  for (const word of path) rest.splice(rest.indexOf(word), 1);
  return rest;
}

/** A line that names no whole command: the program's own flags, or the help of a group. */
function parseProgram(argv: readonly string[], path: string[], rows: readonly Command[]): Asked {
  const rest = dropLeading(argv, requireKnown(path, rows));
  for (const token of tokenize(rest, [...programFlags, ...commonFlags]).tokens) {
    if (token.kind === "positional" && token.value !== "help")
      throw unknownCommand([...path, token.value], rows);
    if (token.kind !== "option") continue;
    if (token.name === "agent-manifest") return { kind: "manual", path };
    if (token.name === "version") return { kind: "version" };
    if (token.name === "completions") return { kind: "completions", shell: String(token.value ?? "") };
    if (!commonFlags.some((flag) => isNamed(flag, token)))
      throw unknownFlag({ path, flags: [], mutates: true }, token.rawName);
  }
  return { kind: "help", path };
}

/** The same words, where they are a command or the beginning of one. */
function requireKnown(path: string[], rows: readonly Command[]): string[] {
  if (rows.some((row) => path.every((word, i) => row.path[i] === word))) return path;
  throw unknownCommand(path, rows);
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

function tokenize(
  argv: readonly string[],
  flags: readonly { name: string; kind: string; alias?: string }[],
): { tokens: Token[] } {
  const options: Record<string, { type: "string" | "boolean"; short?: string }> = {};
  for (const flag of flags) {
    const type = flag.kind === "boolean" ? "boolean" : "string";
    const short = flag.alias?.length === 1 ? { short: flag.alias } : {};
    options[flag.name] = { type, ...short };
    if (flag.alias && flag.alias.length > 1) options[flag.alias] = { type };
  }
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
    allowNegative: true,
  });
  return { tokens: tokens ?? [] };
}

/** Whether a token is this flag, by its name, its alias, or (for a switch) `--no-` before its name. */
function isNamed(flag: { name: string; alias?: string; kind: Flag["kind"] }, token: OptionToken): boolean {
  const given = token.rawName.replace(/^--?/, "");
  return (
    given === flag.name || given === flag.alias || (flag.kind === "boolean" && given === `no-${flag.name}`)
  );
}

function valueOf(command: Command, flag: { name: string; kind: Flag["kind"] }, token: OptionToken): unknown {
  if (flag.kind === "boolean") {
    if (token.value !== undefined) return coerce(command, flag, token.value);
    return token.rawName !== `--no-${flag.name}`;
  }
  if (token.value === undefined) {
    throw fail("USAGE_ERROR", {
      message: `${flagWord(flag.name)} needs a value.`,
      cause: "It was given without one.",
      remediation: `Give it: ${flagWord(flag.name)} VALUE. See: writ ${command.path.join(" ")} --help`,
    });
  }
  return coerce(command, flag, token.value);
}

function take(input: Record<string, unknown>, flag: Flag, value: unknown): void {
  if (!flag.many) input[flag.field] = value;
  else input[flag.field] = [...((input[flag.field] as unknown[]) ?? []), value];
}

function takePositionals(command: Command, words: string[], input: Record<string, unknown>): void {
  const places = command.flags
    .filter((flag) => flag.positional !== undefined)
    .toSorted((a, b) => (a.positional ?? 0) - (b.positional ?? 0));
  const rest = [...words];
  for (const place of places) {
    if (rest.length === 0) break;
    if (place.many) input[place.field] = rest.splice(0).map((word) => coerce(command, place, word));
    else input[place.field] = coerce(command, place, rest.shift() ?? "");
  }
  if (rest.length > 0) {
    throw fail("USAGE_ERROR", {
      message: `"${rest[0]}" is one argument too many.`,
      cause: `writ ${command.path.join(" ")} takes ${places.length === 0 ? "no argument" : places.map((place) => place.name.toUpperCase()).join(" ")}.`,
      remediation: `See: writ ${command.path.join(" ")} --help`,
    });
  }
}
