import type { Command, Flag } from "./registry.ts";

/** A call as a person types it. */
export function commandLine(
  command: Pick<Command, "path" | "flags">,
  input: Record<string, unknown>,
): string {
  const positionals: [number, string][] = [];
  const flags: string[] = [];
  for (const [field, value] of Object.entries(input)) {
    const flag = command.flags.find((one) => one.field === field);
    for (const one of Array.isArray(value) ? value : [value]) {
      if (flag?.positional !== undefined) positionals.push([flag.positional, quote(one)]);
      else if (one === true) flags.push(flagWord(flagName(flag, field)));
      else if (one === false) flags.push(`--no-${flagName(flag, field)}`);
      else flags.push(`${flagWord(flagName(flag, field))} ${quote(one)}`);
    }
  }
  const words = positionals.toSorted((a, b) => a[0] - b[0]).map(([, word]) => word);
  return ["writ", ...command.path, ...words, ...flags].join(" ");
}

/** A flag as it is typed: one dash before a single letter, two before a word. */
export function flagWord(name: string): string {
  return `${name.length === 1 ? "-" : "--"}${name}`;
}

function flagName(flag: Flag | undefined, field: string): string {
  return flag?.name ?? field.replaceAll("_", "-");
}

function quote(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[A-Za-z0-9_.,:/@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
