import { type Command, fail, type Flag, flagWord, nearest, type WritError } from "../../contract/index.ts";
import { commonFlags, programFlags } from "./common-flags.ts";

/** The error of a flag that a command, a group, or the bare program (which has no path) does not have. */
export function unknownFlag(command: Pick<Command, "path" | "flags" | "mutates">, given: string): WritError {
  const [places, own] = split(command.flags);
  const shared = commonFlags.filter((flag) => !("when" in flag) || command.mutates);
  const program = command.path.length === 0 ? programFlags : [];
  const known = [...own, ...shared, ...program].map(({ name }) => name);
  const place = places.find(({ name, field }) => [name, field].includes(bare(given)));
  const near = place ? undefined : nearFlag(given, known);
  const path = ["writ", ...command.path].join(" ");
  const help = `See: ${path} --help`;
  const words = own.map(({ name }) => flagWord(name)).join(", ");
  return fail("USAGE_ERROR", {
    message: `There is no flag ${given}.`,
    cause: own.length > 0 ? `Its flags are ${words}.` : "It has no flags of its own.",
    remediation: place
      ? `Give it without the flag: ${path} ${place.name.toUpperCase()}`
      : near
        ? `Did you mean ${near}? ${help}`
        : help,
    details: { unknown: given, ...(near && { nearest: near }) },
  });
}

function split(flags: readonly Flag[]): [Flag[], Flag[]] {
  const isPlace = ({ positional }: Flag) => positional !== undefined;
  return [flags.filter(isPlace), flags.filter((flag) => !isPlace(flag))];
}

/** Words by which other programs ask for the same. */
const alike = [
  ["n", "limit", "top", "count", "max-results"],
  ["o", "out", "output", "out-dir"],
];

/** What was meant: the same word in the other number, another word for it, or the nearest by letters. */
function nearFlag(given: string, known: readonly string[]): string | undefined {
  const word = bare(given);
  const single = (name: string) => name.replace(/s$/, "");
  const others = alike.find((words) => words.includes(word)) ?? [];
  const found =
    known.find((name) => single(name) === single(word)) ?? others.find((name) => known.includes(name));
  return found === undefined ? nearest(given, known.map(flagWord)) : flagWord(found);
}

function bare(given: string): string {
  return given.replace(/^--?/, "");
}

/** The error of words that are no command: it names the nearest, within the group where they begin with one. */
export function unknownCommand(words: readonly string[], rows: readonly Command[]): WritError {
  const given = words.join(" ");
  const now = rows.map((row) => row.formerly?.[given]).find((line) => line !== undefined);
  if (now !== undefined) return moved(given, now);
  const group = groupOf(words, rows);
  const below = rows.filter((row) => begins(row.path, group));
  const next = [...new Set(below.map((row) => row.path[group.length] ?? ""))];
  const near = nearCommand(words, group, below);
  const path = ["writ", ...group].join(" ");
  return fail("USAGE_ERROR", {
    message: `There is no command "${given.slice(0, 80)}".`,
    cause: `${group.length > 0 ? `Commands of ${path}` : "Commands"} are ${next.join(", ")}.`,
    remediation: near ? `Did you mean: writ ${near}` : `See: ${path} --help`,
    details: { unknown: given.slice(0, 80), ...(near && { nearest: near }) },
  });
}

/** As many of the first words as lead to commands. */
function groupOf(words: readonly string[], rows: readonly Command[]): string[] {
  let length = 0;
  while (length < words.length && rows.some((row) => begins(row.path, words.slice(0, length + 1)))) length++;
  return words.slice(0, length);
}

/** A command or a group that may have been meant, among those that begin with this group. */
function nearCommand(
  words: readonly string[],
  group: string[],
  below: readonly Command[],
): string | undefined {
  const rest = words.slice(group.length);
  // Whoever types the end of one command alone means that one.
  const ending = below.filter((row) => row.path.slice(-rest.length).join(" ") === rest.join(" "));
  if (ending.length === 1) return ending[0]?.path.join(" ");
  const whole = below.map((row) => row.path.join(" "));
  const near = rest.length > 1 ? nearest(words.join(" "), whole) : undefined;
  const word = nearest(rest[0] ?? "", new Set(below.map((row) => row.path[group.length] ?? "")));
  return near ?? (word === undefined ? undefined : [...group, word].join(" "));
}

function begins(path: readonly string[], words: readonly string[]): boolean {
  return words.every((word, i) => path[i] === word);
}

function moved(given: string, now: string): WritError {
  return fail("USAGE_ERROR", {
    message: `There is no command "${given}" any more.`,
    cause: `What it did, "${now}" does.`,
    remediation: `Type instead: writ ${now}`,
    details: { unknown: given, nearest: now },
  });
}
