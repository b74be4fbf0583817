import type { z } from "zod";
import type { ErrorCode } from "./catalogue.ts";
import type { Context } from "./context.ts";
import type { FileStore } from "./stores.ts";

/** What a call may do to the world: read it, change the workspace, or reach another party. */
export type Effect = "observe" | "local" | "external";
export type Surface = "cli" | "http" | "mcp" | "agent";
/** The roles of a principal; "human" in a capability's `may` is any of them but agent. */
export type Role = "owner" | "admin" | "member" | "agent";
export type LeastRole = "human" | "admin" | "owner";

/** What a capability needs; declared as a ceiling, lowered for one call by `narrow`. */
export interface Need {
  effect: Effect;
  network: "never" | "may";
  workspace: "none" | "optional" | "required" | "creates";
}

/** One example, shown by help, the manual and the OpenAPI document; `input` is checked against the schema by a test. */
export interface Example {
  title: string;
  input: Record<string, unknown>;
}

type ObjectSchema = z.ZodObject;

/**
 * One thing Writ can do, declared once. CLI, HTTP, MCP, help, the manual and the agents' tools are
 * projections of it; none of them knows a capability by name.
 *
 * Fields of `input` are snake_case; their zod metadata steers the CLI: `positional: n` makes a field an
 * argument, `env` names its variable, `secret: true` (output) keeps it out of every stored answer,
 * `alias` gives a flag a second name, `local_path: true` marks a folder or file the caller names.
 */
export interface Capability<
  I extends ObjectSchema = ObjectSchema,
  O extends ObjectSchema = ObjectSchema,
  E extends ObjectSchema = ObjectSchema,
> {
  /** Noun then verb, dotted: "token.create". The HTTP path and MCP name derive from it. */
  id: string;
  /** The command path where it is not the id with spaces: "bootstrap" for workspace.bootstrap. */
  path?: string;
  /**
   * Words of older programs that this command stands for now, and what to type instead, both behind `writ`:
   * `{ "research monitor": "research chain --since last" }`.
   */
  formerly?: Readonly<Record<string, string>>;
  /** One sentence, imperative. */
  summary: string;
  /** Paragraphs for help: what it promises, what it never does. */
  description?: string;
  /**
   * What may be asked; a thunk where a command is asked so often, and mostly for nothing in particular, that even
   * loading what schemas are made of is felt.
   */
  input: I | (() => Promise<I>);
  /**
   * The shape of `data`, without what the executor adds (`workspace`, `changed`, `dry_run`). Asked when the
   * registry is generated and by tests, never by a call: building it costs every call and serves none.
   */
  output(): O | Promise<O>;
  /** Declared events are the answer itself (NDJSON, SSE); without it `emit` carries progress. */
  events?(): E;
  need: Need;
  /** What this call needs; may only lower `need`. */
  narrow?(input: z.output<I>): Partial<Need>;
  /** Which store owns the state it changes; absent when it observes. */
  commits?: "sql" | FileStore;
  /** The capability that takes it back; present means reversible. */
  undo?: string;
  /** The least role; default any. */
  may?: LeastRole;
  /** Surfaces that offer it; default all. */
  on?: readonly Surface[];
  /** Over HTTP only callers on this machine itself may; E_LOCAL_ONLY for any other. */
  loopback?: true;
  /** Minutes of CPU: a server runs it as a child process. */
  heavy?: true;
  /**
   * How long its answer to one input holds, whoever asks: for as long as the program runs, or until anything is
   * committed to the workspace's store. Meanwhile it is not made again; it warns of nothing.
   */
  holds?: "always" | "until_commit";
  /** Codes it raises beyond those every call can (usage, auth, store, internal). */
  errors: readonly ErrorCode[];
  examples: readonly [Example, Example, ...Example[]];
  /** Commands a reader of its help would look at next. */
  related?: readonly string[];
  /** Thin: imports its logic lazily, and ends in at most one `ctx.commit`. */
  run(ctx: Context, input: z.output<I>): Promise<z.input<O> & Answered>;
  /** The human rendering of `data`; default: an outline of the data itself. */
  render?(data: z.output<O> & Answered, style: Style): string;
}

/** What every answer of a mutating capability says besides its own output. */
export interface Answered {
  changed?: boolean;
  /** Added by the executor: what is told would have been done. */
  dry_run?: boolean;
  /** Why nothing was done or found, in words. */
  reason?: string;
  /** Complete command lines: what to do next. */
  next?: string[];
  /** The command line that would fill an empty result. */
  fix_command?: string;
}

/** The looks a human rendering may use; plain text where colour is off. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** A declaration whose input is given as it is. */
type AtOnce<I extends ObjectSchema, O extends ObjectSchema, E extends ObjectSchema> = Capability<I, O, E> & {
  input: I;
};
type Later<I extends ObjectSchema, O extends ObjectSchema, E extends ObjectSchema> = Capability<I, O, E> & {
  input: () => Promise<I>;
};

/** Declares a capability; identity at run time, it only holds the types together. */
export function capability<I extends ObjectSchema, O extends ObjectSchema, E extends ObjectSchema>(
  declaration: AtOnce<I, O, E>,
): AtOnce<I, O, E>;
export function capability<I extends ObjectSchema, O extends ObjectSchema, E extends ObjectSchema>(
  declaration: Later<I, O, E>,
): Later<I, O, E>;
export function capability(declaration: unknown): unknown {
  return declaration;
}

/** The schema of what may be asked. */
export function inputOf(declared: Pick<Capability, "input">): ObjectSchema | Promise<ObjectSchema> {
  return typeof declared.input === "function" ? declared.input() : declared.input;
}
