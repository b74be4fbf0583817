import {
  catalogue,
  type Command,
  exitCodeOf,
  exitCodes,
  type Flag,
  commandLine,
  flagWord,
} from "../../contract/index.ts";
import { commonFlags, programFlags } from "./common-flags.ts";

const width = 100;
/** Where the text beside a name begins, in a section. */
const column = 28;
const margin = "  ";

/** Help for the program, a group of commands, or one command. */
export function helpText(path: readonly string[], rows: readonly Command[], version: string): string {
  const command = rows.find((row) => row.path.join(" ") === path.join(" "));
  if (command) return commandHelp(command);
  const under = rows.filter((row) => path.every((word, i) => row.path[i] === word));
  return path.length === 0 ? programHelp(under, version) : groupHelp(path, under);
}

function programHelp(rows: readonly Command[], version: string): string {
  return blocks([
    `writ ${version} - the workspace that AI agents work in`,
    section("Usage", ["writ COMMAND [ARGUMENTS] [FLAGS]", "writ COMMAND --help", "writ help COMMAND"]),
    section("Commands", summaries(rows)),
    section(
      "Flags",
      programFlags.map((flag) => flagLine(flag)),
    ),
    section(
      "Flags of every command",
      commonFlags.map((flag) => flagLine(flag)),
    ),
    section("Exit codes", exitCodeLines()),
    section("Start", [
      "writ init my-feature",
      "writ bootstrap",
      "writ --agent-manifest   for an agent: everything, as JSON",
    ]),
  ]);
}

function groupHelp(path: readonly string[], rows: readonly Command[]): string {
  return blocks([
    `writ ${path.join(" ")}`,
    section("Usage", [`writ ${path.join(" ")} COMMAND [FLAGS]`]),
    section("Commands", summaries(rows)),
    `Each has its own help: writ ${rows[0]?.path.join(" ") ?? path.join(" ")} --help`,
  ]);
}

function commandHelp(command: Command): string {
  const positionals = command.flags
    .filter((flag) => flag.positional !== undefined)
    .toSorted((a, b) => (a.positional ?? 0) - (b.positional ?? 0));
  const flags = command.flags.filter((flag) => flag.positional === undefined);
  const name = command.path.join(" ");
  // A command's own flag of the same name takes the place of the common one.
  const shared = commonFlags.filter(
    (flag) => (!("when" in flag) || command.mutates) && !flags.some((own) => own.name === flag.name),
  );
  return blocks([
    `writ ${name} - ${command.summary}`,
    command.description ? wrap(command.description, "") : undefined,
    section("Usage", [["writ", name, ...positionals.map(positionalUsage), "[FLAGS]"].join(" ")]),
    positionals.length > 0 ? section("Arguments", positionals.map(argumentLine)) : undefined,
    flags.length > 0
      ? section(
          "Flags",
          flags.map((flag) => flagLine(flag)),
        )
      : undefined,
    section(
      "Flags of every command",
      shared.map((flag) => flagLine(flag)),
    ),
    section("Effect", [effectLine(command)]),
    section("Exit codes", exitCodeLines(command)),
    section(
      "Errors",
      command.errors.map((code) => row(code, [catalogue[code].when])),
    ),
    section(
      "Examples",
      command.examples.flatMap((example) => [`# ${example.title}`, commandLine(command, example.input)]),
    ),
    command.related.length > 0
      ? section(
          "Related",
          command.related.map((one) => `writ ${one}`),
        )
      : undefined,
  ]);
}

function positionalUsage(flag: Flag): string {
  const word = `${flag.name.toUpperCase()}${flag.many ? "…" : ""}`;
  return flag.required ? word : `[${word}]`;
}

function argumentLine(flag: Flag): string {
  return row(flag.name.toUpperCase(), [flag.description, facts(flag)]);
}

function flagLine(flag: Omit<Partial<Flag>, "kind"> & Pick<Flag, "name" | "kind" | "description">): string {
  const short = flag.alias ? `${flagWord(flag.alias)}, ` : "";
  const value = flag.kind === "boolean" ? "" : ` ${valueWord(flag)}`;
  // A switch that is on by itself is only ever typed to take it away.
  const name = flag.kind === "boolean" && flag.default === true ? `no-${flag.name}` : flag.name;
  return row(`${short}${flagWord(name)}${value}`, [flag.description, facts(flag)]);
}

function valueWord(flag: { name: string; kind: Flag["kind"] }): string {
  return { string: "TEXT", number: "NUMBER", integer: "N", boolean: "", json: "JSON" }[flag.kind];
}

function facts(flag: Omit<Partial<Flag>, "kind"> & { kind: Flag["kind"] }): string {
  const said = [
    flag.kind === "boolean" ? undefined : flag.kind,
    flag.required ? "required" : undefined,
    flag.many ? "repeatable" : undefined,
    flag.choices ? `one of ${flag.choices.join(", ")}` : undefined,
    flag.constraint,
    flag.default === undefined ||
    flag.default === false ||
    (Array.isArray(flag.default) && flag.default.length === 0)
      ? undefined
      : `default ${JSON.stringify(flag.default)}`,
    flag.env ? `variable ${flag.env}` : undefined,
  ].filter((fact) => fact !== undefined);
  return said.length > 0 ? `(${said.join("; ")})` : "";
}

function effectLine(command: Command): string {
  const effect = {
    observe: "observe: it changes nothing.",
    local: "local: it changes the workspace or Writ's own state.",
    external: "external: something leaves this machine or another system is changed.",
  }[command.need.effect];
  const network = command.need.network === "may" ? " It may use the network." : " It never uses the network.";
  const undo = command.undo ? ` Undone by ${command.undo}.` : "";
  return `${effect}${network}${undo}`;
}

function exitCodeLines(command?: Command): string[] {
  const own = new Set(command?.errors.map((code) => exitCodeOf(catalogue[code].category)));
  return exitCodes
    .filter((one) => !command || one.code <= 1 || one.code === 5 || own.has(one.code))
    .map((one) => {
      const name = `${one.code}  ${one.name.padEnd(11)} `;
      return name + beside(one.meaning, name.length).slice(name.length);
    });
}

function summaries(rows: readonly Command[]): string[] {
  return rows.map((one) => row(one.path.join(" "), [one.summary]));
}

function row(name: string, texts: string[]): string {
  const body = beside(texts.filter((one) => one !== "").join(" "), column);
  return name.length > column - 2 ? `${name}\n${body}` : name.padEnd(column) + body.slice(column);
}

/** A text that begins in this column of a section, and goes on there on its next lines. */
function beside(text: string, at: number): string {
  return wrap(text, " ".repeat(at), width - margin.length);
}

function wrap(text: string, indent: string, limit = width): string {
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

function section(title: string, lines: readonly string[]): string | undefined {
  if (lines.length === 0) return undefined;
  return `${title}\n${margin}${lines.join("\n").replaceAll("\n", `\n${margin}`)}`;
}

function blocks(parts: (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}
