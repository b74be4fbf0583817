import { expect } from "vitest";
import { type Commands, inputOf } from "../../packages/writ/src/contract/index.ts";
import { parseArguments } from "../../packages/writ/src/surfaces/cli/arguments.ts";

/** Every command line that an answer offers to run. */
export function offersIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(offersIn);
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (["command", "fix_command", "next_command", "next", "resume", "discard"].includes(name))
      return [inner].flat().filter((line): line is string => typeof line === "string");
    return offersIn(inner);
  });
}

/** A line as a shell splits it: at spaces, but not within quotes. */
export function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:'([^']*)'|"([^"]*)"|[^\s'"])+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"),
  );
}

/** Each line is a whole call of a command that exists, with values that its schema takes. */
export async function expectComplete(commands: Commands, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const [program, ...argv] = wordsOf(line);
    if (program === "rm") continue;
    expect(program, line).toBe("writ");
    const asked = parseArguments(argv, commands.rows);
    if (asked.kind !== "call") throw new Error(`${line} is ${asked.kind}`);
    const input = await inputOf(await commands.load(asked.command.id));
    expect(input.safeParse(asked.input).error?.issues ?? [], line).toEqual([]);
  }
}
