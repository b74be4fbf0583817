import { isAbsolute } from "node:path";
import {
  type Call,
  cancelled,
  type Command,
  type Commands,
  type Envelope,
  envelope,
  type Execute,
  fail,
  type Progress,
  type Settings,
  toWritError,
} from "../../contract/index.ts";
import { type Asked, type Common, parseArguments } from "./arguments.ts";
import { type Output, visible } from "../../platform/index.ts";
import { folderGone } from "./folder-gone.ts";
import { askMissing, questioner } from "./ask.ts";
import { completionScript } from "./completions.ts";
import { fromHere } from "./from-here.ts";
import { helpText } from "./help.ts";
import { createLogger, type Logger } from "./logger.ts";
import { narrowManual } from "./narrow-manual.ts";
import { renderData, renderError, renderWarning, styleFor } from "./render.ts";

/** The process, injected: nothing here touches it directly. */
export interface Terminal {
  argv: readonly string[];
  /** Undefined when the folder it was called in is no more. */
  cwd: string | undefined;
  settings: Settings;
  stdin: AsyncIterable<Uint8Array> & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  /** Aborted by Ctrl-C and by a request to terminate. */
  signal: AbortSignal;
}

/** What the composition root hands to the command line. */
export interface CliDeps {
  version: string;
  commands: Commands;
  execute: Execute;
  manual(): Promise<Record<string, unknown>>;
}

/** Runs one command line and answers with the exit code of the process. Never throws. */
export async function runCli(terminal: Terminal, deps: CliDeps): Promise<number> {
  const { argv, settings } = terminal;
  // Known before the words are parsed, so that a malformed call is answered in the form that was asked for.
  const json = argv.includes("--json") || settings.isOn("WRIT_JSON");
  try {
    const asked = parseArguments(argv, deps.commands.rows);
    if (asked.kind === "version" && json) {
      const answer = envelope("writ", { data: { version: deps.version } });
      return show(answer, { terminal, json, log: createLogger(terminal, {}, json) });
    }
    if (asked.kind !== "call") return await tell(asked, { terminal, deps, json });
    return await call(asked, {
      terminal,
      deps,
      json: asked.common.json === true || settings.isOn("WRIT_JSON"),
    });
  } catch (thrown) {
    const command = argv
      .filter((word) => !word.startsWith("-"))
      .slice(0, 2)
      .join(" ");
    const answer = envelope(command || "writ", { error: toWritError(thrown).toObject() });
    return show(answer, { terminal, json, log: createLogger(terminal, {}, json) });
  }
}

async function tell(
  asked: Exclude<Asked, { kind: "call" }>,
  { terminal, deps, json }: { terminal: Terminal; deps: CliDeps; json: boolean },
): Promise<number> {
  const { rows } = deps.commands;
  if (asked.kind === "manual") {
    terminal.stdout.write(`${JSON.stringify(narrowManual(await deps.manual(), asked.path))}\n`);
    return 0;
  }
  const columns = asked.kind === "help" && !json ? columnsOf(terminal) : undefined;
  const text = {
    version: () => `${deps.version}\n`,
    completions: () => completionScript(asked.kind === "completions" ? asked.shell : "", rows),
    help: () => helpText(asked.kind === "help" ? asked.path : [], rows, { version: deps.version, columns }),
  }[asked.kind]();
  const command = asked.kind === "help" ? ["writ", ...asked.path].join(" ") : "writ";
  const answer = envelope(command, { data: { [asked.kind]: text.trimEnd() } });
  terminal.stdout.write(json ? `${JSON.stringify(answer)}\n` : text);
  return 0;
}

/** How wide a page is: what the caller says, else its terminal; undefined where nobody knows. */
function columnsOf({ settings, stdout }: Terminal): number | undefined {
  const said = Number(settings.env("COLUMNS"));
  if (Number.isInteger(said) && said > 0) return said;
  return stdout.isTTY ? stdout.columns || undefined : undefined;
}

interface Showing {
  terminal: Terminal;
  json: boolean;
  log: Logger;
}

async function call(
  asked: { command: Command; input: Record<string, unknown>; common: Common },
  of: { terminal: Terminal; deps: CliDeps; json: boolean },
): Promise<number> {
  const { terminal, deps, json } = of;
  const { command, common } = asked;
  const log = createLogger(terminal, common, json);
  const showing: Showing = { terminal, json, log };
  let answer: Envelope;
  try {
    const input = await wholeInput(asked, terminal);
    answer = await deps.execute({
      capability: command.id,
      surface: "cli",
      input,
      ...placeOf(terminal, asked),
      ...settingsOf(terminal, common),
      signal: terminal.signal,
      emit: (event) => emit(event, command, showing),
      stdin: () => terminal.stdin,
    });
  } catch (thrown) {
    const error = terminal.signal.aborted
      ? cancelled({ ...terminal.signal.reason, from: thrown })
      : toWritError(thrown);
    answer = envelope(command.path.join(" "), { error: error.toObject() });
  }
  log.clear();
  const shown = fromHere(answer, terminal.cwd);
  return show(shown, showing, json ? undefined : await deps.commands.load(command.id));
}

async function wholeInput(
  asked: { command: Command; input: Record<string, unknown>; common: Common },
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  const { command, common } = asked;
  let input = asked.input;
  if (typeof common.file === "string") {
    const { readInputFile } = await import("./input-file.ts");
    input = { ...(await readInputFile(common.file, terminal)), ...input };
  }
  if (!common.interactive) return input;
  if (!terminal.stdin.isTTY || !terminal.stderr.isTTY) {
    throw fail("USAGE_ERROR", {
      message: "--interactive needs a terminal.",
      cause: "Standard input or standard error is not one.",
      remediation: `Give every input as a flag: writ ${command.path.join(" ")} --help`,
    });
  }
  return askMissing(command, input, terminal);
}

/** Which workspace is meant, and what relative paths are relative to. */
function placeOf(
  terminal: Terminal,
  { command, common }: { command: Command; common: Common },
): Pick<Call, "where" | "base"> {
  const env = terminal.settings.env("WRIT_WORKSPACE");
  const flag = typeof common.workspace === "string" ? common.workspace : undefined;
  if (flag === "") throw noWorkspaceNamed();
  const base = terminal.cwd ?? standIn(flag ?? env, command);
  return { where: { ...(flag !== undefined && { flag }), ...(env && { env }), cwd: base }, base };
}

/** What serves in place of a folder that is no more: the workspace that is named, or any to one that looks at none. */
function standIn(named: string | undefined, { need }: Command): string {
  if (named !== undefined && isAbsolute(named)) return named;
  if (named === undefined && need.workspace === "none" && need.effect === "observe") return "/";
  throw folderGone();
}

function noWorkspaceNamed() {
  return fail("E_INVALID_VALUE", {
    message: "--workspace names no folder.",
    cause: "Its value is empty.",
    remediation: "Name one, or leave the flag out: --workspace .",
  });
}

function settingsOf(
  terminal: Terminal,
  common: Common,
): Pick<Call, "credential" | "dryRun" | "idempotencyKey" | "deadlineMs" | "ask"> {
  const token = typeof common.token === "string" ? common.token : terminal.settings.env("WRIT_TOKEN");
  const seconds = common.deadline === undefined ? undefined : Number(common.deadline);
  if (seconds !== undefined && !(seconds > 0)) {
    throw fail("E_INVALID_VALUE", {
      message: "--deadline is a number of seconds above 0.",
      cause: `It was ${String(common.deadline)}.`,
      remediation: "Give more: --deadline 60",
    });
  }
  return {
    credential: { terminal: true, ...(token && { token }) },
    ...(common["dry-run"] === true && { dryRun: true }),
    ...(typeof common["idempotency-key"] === "string" && { idempotencyKey: common["idempotency-key"] }),
    ...(seconds !== undefined && { deadlineMs: seconds * 1000 }),
    ...(common.interactive === true && { ask: questioner(terminal) }),
  };
}

function emit(
  event: Progress | Record<string, unknown>,
  command: Command,
  { terminal, json, log }: Showing,
): void {
  // What runs inside a streaming command has progress of its own, which is no part of the answer.
  if (!command.streams || (event as Progress).event === "progress") log.progress(event as Progress);
  else if (json) terminal.stdout.write(`${JSON.stringify(event)}\n`);
  else
    terminal.stdout.write(
      `${visible(String((event as { text?: unknown }).text ?? JSON.stringify(event)))}\n`,
    );
}

function show(answer: Envelope, of: Showing, capability?: Parameters<typeof renderData>[1]): number {
  const { terminal, json, log } = of;
  if (json) {
    terminal.stdout.write(`${JSON.stringify(answer)}\n`);
    return answer.exit_code;
  }
  const text = renderData(answer, capability, styleFor(log.colour(terminal.stdout)));
  if (text !== undefined) terminal.stdout.write(text);
  for (const warning of answer.warnings) log.warn(renderWarning(warning));
  if (answer.error) terminal.stderr.write(renderError(answer.error, styleFor(log.colour(terminal.stderr))));
  return answer.exit_code;
}
