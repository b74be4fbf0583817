import type { Call, Where } from "./call.ts";
import type { Need } from "./capability.ts";
import type { Caller, Clock, Fact, Folders, Ids, Opened, Settings, Workspace } from "./context.ts";
import type { Envelope } from "./envelope.ts";
import type { Grant } from "./grant.ts";
import type { Host } from "./host.ts";
import type { Registered } from "./parts.ts";
import type { Command, Commands } from "./registry.ts";
import type { OwedEvent, SqlReader, SqlStore, SqlWriter, StoreMode } from "./stores.ts";

/** An answer kept for an idempotency key. */
export interface Replay {
  capability: string;
  /** SHA-256 of the canonical input. */
  inputHash: string;
  data: Record<string, unknown>;
}

/** What a commit must record besides its own work. */
export interface ActRecord {
  act: string;
  capability: string;
  caller: Caller;
  /** Present when the call carried an idempotency key. */
  replay?: { key: string; inputHash: string; secrets: readonly string[] };
}

/** The store and the ledger of one workspace, as the executor uses them. Nothing opens before its first call. */
export interface Session {
  read<T>(query: (db: SqlReader) => Promise<T>): Promise<T>;
  /** Reads what every call asks for: its last answer under `key`, as long as nothing was committed since, by anyone. */
  recall<T>(key: string, query: (db: SqlReader) => Promise<T>): Promise<T>;
  /** The same of what is made from reads of the store. */
  keep<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** One transaction: the work, then the act's event, then the answer kept for its key. */
  commit<T extends Record<string, unknown>>(
    record: ActRecord,
    factOf: (result: T) => Fact,
    work: (db: SqlWriter) => Promise<T>,
  ): Promise<T>;
  /** Appends the event of an act that a file store committed; the same act again changes nothing. */
  append(event: OwedEvent, replay?: ActRecord["replay"] & { data: Record<string, unknown> }): Promise<void>;
  /** An external act is about to begin. */
  started(record: ActRecord): Promise<void>;
  /** A mutating call was refused; at most one event per caller, capability, code and minute. */
  denied(record: ActRecord, code: string): Promise<void>;
  store(mode: StoreMode): Promise<SqlStore>;
  findReplay(caller: Caller, key: string): Promise<Replay | undefined>;
  /** What the call was answered with in the end takes the place of what its commit kept for its key. */
  answered(record: ActRecord, data: Record<string, unknown>): Promise<void>;
}

/** How a step ended: never what it was given or found. */
export interface Outcome {
  exitCode?: number;
  errorCode?: string;
}

/** A step that is being traced. */
export interface Span {
  /** Begins a step within this one. */
  begin(name: string, attributes?: Record<string, string>): Span;
  /** The step is over; a second time changes nothing. */
  end(outcome: Outcome): void;
}

/** The order of an act's life is the executor's; what each step means is behind these. */
export interface Ports {
  commands: Commands;
  clock: Clock;
  ids: Ids;
  settings: Settings;
  folders: Folders;
  registered: Registered;
  host?: Host;
  /** Finds the workspace by files alone; undefined when there is none. */
  locate(where: Where, base: string): Promise<Workspace | undefined>;
  /** Credential and place give the caller. Throws E_AUTH_REQUIRED. */
  admit(call: Pick<Call, "credential" | "surface">, session: Session | undefined): Promise<Caller>;
  /** Throws E_ROLE_REQUIRED or E_HUMAN_REQUIRED. */
  allow(caller: Caller, command: Command, asked: { need: Need; input: Record<string, unknown> }): Grant;
  /** The session of a workspace; what it opens stays open until the process ends. */
  session(root: string): Session;
  /** The one checked way to read a path or standard input. */
  open(call: Call, workspace: Workspace | undefined, pathOrDash: string): Promise<Opened>;
  /** A signal that fires when the caller's does or the time is up; `stop` ends its timer. */
  deadline(signal: AbortSignal, deadlineMs: number | undefined): Deadline;
  /** SHA-256 of the canonical JSON of a value. */
  hash(value: unknown): string;
  /** Writes the trace of a defect under .writ/errors/ and names the file. */
  trace(error: unknown, root: string | undefined): Promise<string | undefined>;
  /**
   * Begins the trace of one call, within the caller's own step where a `traceparent` names one; absent where nobody
   * asked for traces. Attributes never hold input.
   */
  span?(name: string, attributes: Record<string, string>, traceparent?: string): Span;
  /** Runs a heavy capability in a child process; absent where this process may do it itself. */
  offload?(call: Call): Promise<Envelope>;
}

export interface Deadline {
  signal: AbortSignal;
  /** Why the signal fired, if it did. */
  fired(): { kind: "cancelled"; exitCode?: number } | { kind: "deadline" } | undefined;
  stop(): void;
}
