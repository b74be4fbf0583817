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
import { type HelpPage, helpPage } from "./help-page.ts";

/** Help for the program, a group of commands, or one command, on a page of so many columns. */
export function helpText(
  path: readonly string[],
  rows: readonly Command[],
  { version, columns }: { version: string; columns?: number | undefined },
): string {
  const page = helpPage(columns);
  const command = rows.find((row) => row.path.join(" ") === path.join(" "));
  if (command) return commandHelp(page, command);
  const under = rows.filter((row) => path.every((word, i) => row.path[i] === word));
  return path.length === 0 ? programHelp(page, under, version) : groupHelp(page, path, under);
}

function programHelp(page: HelpPage, rows: readonly Command[], version: string): string {
  const { section } = page;
  return blocks([
    page.paragraph(`writ ${version} - the workspace that AI agents work in`),
    section("Usage", ["writ COMMAND [ARGUMENTS] [FLAGS]", "writ COMMAND --help", "writ help COMMAND"]),
    section("Commands", summaries(page, rows)),
    section(
      "Flags",
      programFlags.map((flag) => flagLine(page, flag)),
    ),
    section(
      "Flags of every command",
      commonFlags.map((flag) => flagLine(page, flag)),
    ),
    section("Exit codes", exitCodeLines(page)),
    section("Start", [
      "writ init my-feature",
      "writ bootstrap",
      "writ --agent-manifest   for an agent: everything, as JSON",
    ]),
  ]);
}

function groupHelp(page: HelpPage, path: readonly string[], rows: readonly Command[]): string {
  const { section } = page;
  return blocks([
    `writ ${path.join(" ")}`,
    section("Usage", [`writ ${path.join(" ")} COMMAND [FLAGS]`]),
    section("Commands", summaries(page, rows)),
    page.paragraph(`Each has its own help: writ ${rows[0]?.path.join(" ") ?? path.join(" ")} --help`),
  ]);
}

function commandHelp(page: HelpPage, command: Command): string {
  const { section, row } = page;
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
    page.paragraph(`writ ${name} - ${command.summary}`),
    command.description ? page.paragraph(command.description) : undefined,
    section("Usage", [["writ", name, ...positionals.map(positionalUsage), "[FLAGS]"].join(" ")]),
    positionals.length > 0
      ? section(
          "Arguments",
          positionals.map((flag) => argumentLine(page, flag)),
        )
      : undefined,
    flags.length > 0
      ? section(
          "Flags",
          flags.map((flag) => flagLine(page, flag)),
        )
      : undefined,
    section(
      "Flags of every command",
      shared.map((flag) => flagLine(page, flag)),
    ),
    section("Effect", [page.text(effectLine(command))]),
    section("Exit codes", exitCodeLines(page, command)),
    section(
      "Errors",
      command.errors.map((code) => row(code, catalogue[code].when)),
    ),
    section(
      "Examples",
      command.examples.flatMap((example) => [
        page.text(`# ${example.title}`),
        commandLine(command, example.input),
      ]),
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

function argumentLine(page: HelpPage, flag: Flag): string {
  return page.row(flag.name.toUpperCase(), told(flag));
}

type ShownFlag = Omit<Partial<Flag>, "kind"> & Pick<Flag, "name" | "kind" | "description">;

function flagLine(page: HelpPage, flag: ShownFlag): string {
  const short = flag.alias ? `${flagWord(flag.alias)}, ` : "";
  const value = flag.kind === "boolean" ? "" : ` ${valueWord(flag)}`;
  // A switch that is on by itself is only ever typed to take it away.
  const name = flag.kind === "boolean" && flag.default === true ? `no-${flag.name}` : flag.name;
  return page.row(`${short}${flagWord(name)}${value}`, told(flag));
}

function told(flag: ShownFlag): string {
  return [flag.description, facts(flag)].filter((one) => one !== "").join(" ");
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

function exitCodeLines(page: HelpPage, command?: Command): string[] {
  const own = new Set(command?.errors.map((code) => exitCodeOf(catalogue[code].category)));
  return exitCodes
    .filter((one) => !command || one.code <= 1 || one.code === 5 || own.has(one.code))
    .map(({ code, name, meaning }) => page.rowAt(15, `${code}  ${name}`, meaning));
}

function summaries(page: HelpPage, rows: readonly Command[]): string[] {
  return rows.map((one) => page.row(one.path.join(" "), one.summary));
}

function blocks(parts: (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}
