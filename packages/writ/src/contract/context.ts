import type { Role } from "./capability.ts";
import type { Host } from "./host.ts";
import type { Registered } from "./parts.ts";
import type { SqlReader, SqlStore, SqlWriter, StoreMode } from "./stores.ts";
import type { Warning } from "./warnings.ts";

declare global {
  // Merges with the platform's own; contract itself sees neither Node nor the DOM.
  interface AbortSignal {}
}

/** How the workspace was found, and where. */
export interface Workspace {
  /** Absolute path of the folder that holds workspace.yml. */
  root: string;
  source: "flag" | "env" | "cwd" | "init";
}

/** Who calls, with which right, and for whom. */
export interface Caller {
  /** `user:ana`, `client:claude-code`, `system:writ`. */
  actor: string;
  role: Role;
  acts_for?: string;
  /** The token's id, where one was shown. */
  token?: string;
}

/** A step of long work; see running.md. Never carries content, URLs with user names, or absolute paths. */
export interface Progress {
  event: "progress";
  run: string;
  phase: string;
  item?: string;
  done?: number;
  total?: number;
  bytes?: number;
  message?: string;
}

/** What a commit says of itself; the ledger event is made from it. */
export interface Fact {
  /** References and paths the act was about. */
  subjects?: string[];
  /** Facts of the act: counts, hashes, relative paths; never content. */
  detail?: Record<string, unknown>;
  /** Rows the act wrote, each with the hash of its content, so that verify can compare them. */
  rows?: { table: string; id: string; hash: string }[];
}

/** Time, as an argument. */
export interface Clock {
  /** The instant, in milliseconds since 1970. */
  now(): number;
  /** Only where it was set for a test: what is kept for long says so. The program's own clock never does. */
  isTest?: true;
}

/** Chance, as an argument. */
export interface Ids {
  /** A UUIDv7 behind a typed prefix: `tok_…`; sorts by time. */
  next(prefix: string): string;
  /** Random bytes, hexadecimal. */
  secret(bytes: number): string;
}

/** The settings of this call: environment and flags, read once, at the edge. */
export interface Settings {
  /** The value of a declared environment variable, or undefined when unset. */
  env(name: string): string | undefined;
  /** The whole environment, for a child program that stands in the caller's place, such as git. */
  environment(): Readonly<Record<string, string | undefined>>;
  /** True for a switch that is on: not unset, empty, 0, false, no or off. */
  isOn(name: string): boolean;
}

/** The installation's own folders; absolute paths. */
export interface Folders {
  /** Always safe to delete. */
  cache: string;
  /** Outlives every workspace: keys, checkpoints. */
  state: string;
}

/** A named input: bytes that the caller pointed at, opened under the rules of its surface. */
export interface Opened {
  name: string;
  text(maxBytes: number): Promise<string>;
  /** The bytes as they come, for what is too large to hold or is no UTF-8; to be read once. */
  bytes(): AsyncIterable<Uint8Array>;
}

/**
 * What a capability is given. It reads no environment, no current folder, no clock and no random source
 * besides these, and prints nothing.
 */
export interface Context {
  /** The act's id, minted before it starts. */
  act: string;
  dryRun: boolean;
  caller: Caller;
  /** Absent when the capability needs none and none was found. */
  workspace?: Workspace;
  /** The folder relative paths of the caller are resolved against: the current folder, or the served root. */
  base: string;
  /** True when the caller is at this machine's terminal and may name any folder. */
  local: boolean;
  /** True when the caller may be asked questions. */
  ask?: (question: string, choices?: readonly string[]) => Promise<string>;
  settings: Settings;
  folders: Folders;
  clock: Clock;
  ids: Ids;
  signal: AbortSignal;
  /** Progress, or the declared events. */
  emit(event: Omit<Progress, "event" | "run"> | Record<string, unknown>): void;
  warn(warning: Warning): void;
  /** The one checked way to read a path or standard input ("-"). */
  open(pathOrDash: string): Promise<Opened>;
  /** Reads the SQL store; opens it on first use. */
  read<T>(query: (db: SqlReader) => Promise<T>): Promise<T>;
  /**
   * The one commit of an act: runs `work` and appends the act's ledger event, in one transaction on SQL,
   * right after it for a file store. Absent work on a dry run is a defect: observe and dry runs have no commit.
   */
  commit<T extends Record<string, unknown>>(
    fact: Fact | ((result: T) => Fact),
    work: (db: SqlWriter) => Promise<T>,
  ): Promise<T>;
  /** The SQL store itself, for its own upkeep: status, backup, checkpoints. */
  store(mode: StoreMode): Promise<SqlStore>;
  /** Appends the events that file stores still owe, once their interrupted work has been completed. */
  settle(): Promise<void>;
  /** Says that this act has just created the workspace at `root`; its ledger is where the event goes. */
  enter(root: string): Promise<void>;
  /** What the parts of Writ have registered; `schema`, `explain`, `doctor` and the like read it. */
  registered: Registered;
  /** This process, for the verbs that turn it into a server; present at the command line only. */
  host?: Host;
  /** Another capability, through the same door and as the same caller. */
  invoke(capability: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
}
