import { type Context, nearest, fail, type WritError } from "../../contract/index.ts";
import { findPresence } from "../availability/presence.ts";
import type { Presence } from "../availability/availability.ts";
import { readTables, type Tables } from "../catalogue/read.ts";
import type { ReasoningSettings } from "../model/settings.ts";
import type { TaskState } from "../model/task.ts";
import { modes, type Mode } from "../model/words.ts";
import { readOpenTaskId, readTask, untasked } from "../tasks/task-files.ts";
import { invalid, readDeclaredSettings } from "./declared.ts";
import { type ResolvedMode, resolveMode } from "./mode.ts";

/** Everything a call of this part stands on, read once; the records come on top. */
export interface Room {
  ctx: Context;
  root: string;
  settings: ReasoningSettings;
  profiles: Readonly<Record<string, string>>;
  /** The open task, else `untasked`. */
  task: string;
  openTask?: TaskState;
  mode: ResolvedMode;
  /** What forbids asking, in order; observers show them as warnings. */
  faults: WritError[];
  denied: string[];
  cooldownSeconds?: number;
  /** The client of the session, and what makes its model's views dependent. */
  client?: string;
  executorSource?: string;
  tables: Tables;
  presence: ReadonlyMap<string, Presence>;
}

/** Reads the settings, tables and presence of a workspace. Contacts nobody and runs nothing. */
export async function openRoom(ctx: Context): Promise<Room> {
  const root = rootOf(ctx);
  const [declared, tables, openTask] = await Promise.all([
    readDeclaredSettings(ctx),
    readTables(root),
    readOpenTask(root),
  ]);
  const { settings, profiles } = declared;
  const faults = [...declared.faults];
  const profile = openTask && profileOf(openTask, profiles, faults);
  const mode = resolveMode({
    variable: ctx.settings.env("WRIT_REASONING_MODE"),
    ci: ctx.settings.environment().CI,
    ...(profile && { profile }),
    workspace: settings.mode,
    offline: ctx.settings.isOn("WRIT_OFFLINE"),
  });
  if (mode.mode === "unknown") faults.unshift(unknownMode(mode));
  const cooldownSeconds = cooldownOf(ctx, faults);
  const client = clientOf(ctx, { openTask, tables, faults });
  const vendor = tables.catalogue.clients.find(({ id }) => id === client)?.vendor;
  return {
    ctx,
    root,
    settings,
    profiles,
    task: openTask?.id ?? untasked,
    ...(openTask && { openTask }),
    mode,
    faults,
    denied: deniedOf(ctx, { tables, faults }),
    ...(cooldownSeconds !== undefined && { cooldownSeconds }),
    ...(client !== undefined && { client }),
    ...(vendor !== undefined && { executorSource: vendor }),
    tables,
    presence: findPresence(tables.catalogue, { settings: ctx.settings, root }),
  };
}

/** The mode, where it is known and nothing forbids asking; throws the first thing that does. */
export function requireUsable(room: Room): Mode {
  const [fault] = room.faults;
  if (fault) throw fault;
  if (room.tables.broken) throw room.tables.broken;
  if (room.mode.mode === "unknown") throw unknownMode(room.mode);
  return room.mode.mode;
}

/** Tells an observer what forbids asking. */
export function warnOfFaults({ ctx, faults, tables }: Room): void {
  for (const { code, failure } of faults) {
    const warning = code === "E_UNKNOWN_MODE" ? "W_UNKNOWN_MODE" : "W_INVALID_SETTING";
    ctx.warn({
      code: warning,
      message: `${failure.message} ${failure.cause}`,
      remediation: failure.remediation,
    });
  }
  if (tables.broken) {
    const { message, remediation } = tables.broken.failure;
    ctx.warn({ code: "W_CATALOGUE_FINDING", message, remediation });
  }
}

export function rootOf(ctx: Context): string {
  if (!ctx.workspace) throw new TypeError("reasoning needs a workspace");
  return ctx.workspace.root;
}

async function readOpenTask(root: string): Promise<TaskState | undefined> {
  const id = await readOpenTaskId(root);
  return id === undefined ? undefined : readTask(root, id);
}

function profileOf(task: TaskState, profiles: Room["profiles"], faults: WritError[]) {
  const mode = profiles[task.profile];
  if (mode !== undefined) return { name: task.profile, mode };
  const known = Object.keys(profiles);
  faults.push(invalid(`profile ${task.profile}`, `known are ${known.join(", ")}`, known));
  return undefined;
}

function unknownMode({ source, word = "" }: ResolvedMode): WritError {
  const near = nearest(word, modes);
  return fail("E_UNKNOWN_MODE", {
    message: `${source} gives the mode "${word.slice(0, 40)}", which is unknown.`,
    cause: `Known are ${modes.join(", ")}.${near ? ` The nearest is ${near}.` : ""}`,
    remediation: near ? `Use ${near}, e.g. WRIT_REASONING_MODE=${near}` : "Use one of them.",
    details: { source, word: word.slice(0, 40), known: [...modes], ...(near && { nearest: near }) },
  });
}

function cooldownOf(ctx: Context, faults: WritError[]): number | undefined {
  const text = ctx.settings.env("WRIT_REASONING_COOLDOWN_SECONDS")?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 86_400) return Number(text);
  faults.push(
    invalid(
      "WRIT_REASONING_COOLDOWN_SECONDS",
      `it is an integer from 0 to 86400, not "${text.slice(0, 40)}"`,
    ),
  );
  return undefined;
}

function deniedOf(ctx: Context, { tables, faults }: { tables: Tables; faults: WritError[] }): string[] {
  const words = (ctx.settings.env("WRIT_ADVISORS_DISABLE") ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const known = tables.catalogue.advisors.map(({ id }) => id);
  const unknown = words.find((word) => word !== "all" && !word.startsWith("peer:") && !known.includes(word));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    const cause = `no table declares "${unknown.slice(0, 80)}"${near ? `; the nearest is ${near}` : ""}`;
    faults.push(invalid("WRIT_ADVISORS_DISABLE", cause, known));
  }
  return words;
}

function clientOf(
  ctx: Context,
  { openTask, tables, faults }: { openTask: TaskState | undefined; tables: Tables; faults: WritError[] },
): string | undefined {
  const client = openTask?.client ?? ctx.settings.env("WRIT_CLIENT");
  const known = tables.catalogue.clients.map(({ id }) => id);
  if (client === undefined || known.includes(client)) return client;
  faults.push(invalid("WRIT_CLIENT", `no client is called "${client.slice(0, 80)}"`, known));
  return undefined;
}
