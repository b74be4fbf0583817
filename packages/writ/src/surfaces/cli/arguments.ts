import { parseArgs } from "node:util";
import { type Command, fail, type Flag, nearest, type WritError } from "../../contract/index.ts";
import { coerce } from "./coerce.ts";
import { type CommonName, commonFlags, programFlags } from "./common-flags.ts";

/** What the words of a command line ask for. */
export type Asked =
  | { kind: "version" }
  | { kind: "manual" }
  | { kind: "completions"; shell: string }
  | { kind: "help"; path: string[] }
  | { kind: "call"; command: Command; input: Record<string, unknown>; common: Common };

/** The common flags that were given, by name. */
export type Common = Partial<Record<CommonName, string | boolean>>;

/** Reads a command line against the table of commands. Throws the error of a malformed one. */
export function parseArguments(argv: readonly string[], rows: readonly Command[]): Asked {
  const path = leadingWords(argv, rows);
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
      .map((flag) => `--${flag.name}`),
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

function parseProgram(argv: readonly string[], path: string[], rows: readonly Command[]): Asked {
  if (path.length > 0) {
    const isGroup = rows.some((row) => row.path.join(" ").startsWith(`${path.join(" ")} `));
    if (!isGroup) throw unknownCommand(path.join(" "), rows);
    const rest = dropLeading(argv, path);
    const extra = rest.find((word) => !word.startsWith("-"));
    if (extra !== undefined) throw unknownCommand([...path, extra].join(" "), rows);
    return { kind: "help", path };
  }
  const { tokens } = tokenize(argv, [...programFlags, ...commonFlags]);
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (token.name === "version") return { kind: "version" };
    if (token.name === "agent-manifest") return { kind: "manual" };
    if (token.name === "completions") return { kind: "completions", shell: String(token.value ?? "") };
    if (!commonFlags.some((flag) => isNamed(flag, token))) throw unknownFlag(undefined, token.rawName);
  }
  return { kind: "help", path: [] };
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
      message: `--${flag.name} needs a value.`,
      cause: "It was given without one.",
      remediation: `Give it: --${flag.name} VALUE. See: writ ${command.path.join(" ")} --help`,
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

function unknownFlag(command: Command | undefined, given: string): WritError {
  const own =
    command?.flags.filter((flag) => flag.positional === undefined).map((flag) => `--${flag.name}`) ?? [];
  const shared = commonFlags
    .filter((flag) => !("when" in flag) || command?.mutates)
    .map((flag) => `--${flag.name}`);
  const known = [...own, ...shared, ...(command ? [] : programFlags.map((flag) => `--${flag.name}`))];
  const near = nearest(given, known);
  const help = ["writ", ...(command?.path ?? []), "--help"].join(" ");
  return fail("USAGE_ERROR", {
    message: `There is no flag ${given}.`,
    cause: own.length > 0 ? `Its flags are ${own.join(", ")}.` : "It has no flags of its own.",
    remediation: near ? `Did you mean ${near}? See: ${help}` : `See: ${help}`,
    details: { unknown: given, ...(near && { nearest: near }) },
  });
}

function unknownCommand(given: string, rows: readonly Command[]): WritError {
  const now = rows.map((row) => row.formerly?.[given]).find((line) => line !== undefined);
  if (now !== undefined)
    return fail("USAGE_ERROR", {
      message: `There is no command "${given}" any more.`,
      cause: `What it did, "${now}" does.`,
      remediation: `Type instead: writ ${now}`,
      details: { unknown: given, nearest: now },
    });
  const near = nearest(
    given,
    rows.map((row) => row.path.join(" ")),
  );
  return fail("USAGE_ERROR", {
    message: `There is no command "${given.slice(0, 80)}".`,
    cause: `Commands are ${[...new Set(rows.map((row) => row.path[0]))].join(", ")}.`,
    remediation: near ? `Did you mean: writ ${near}` : "See: writ --help",
    details: { unknown: given.slice(0, 80), ...(near && { nearest: near }) },
  });
}
