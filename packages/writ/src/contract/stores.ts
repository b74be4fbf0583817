import type { Fact } from "./context.ts";

/** Read access to the SQL store; its members are declared by the store module. */
export interface SqlReader {}

/** Write access to the SQL store, inside a transaction; its members are declared by the store module. */
export interface SqlWriter {}

/** How a store is opened: "write" makes or migrates it, "register" also lets a server learn this workspace. */
export type StoreMode = "read" | "write" | "register";

/** The SQL store itself, for its own upkeep; its members are declared by the store module. */
export interface SqlStore {}

/** An act a file store has committed and whose ledger event may not be written yet. */
export interface OwedEvent {
  /** The act's id; the event's id derives from it, so appending it again changes nothing. */
  act: string;
  capability: string;
  actor: string;
  acts_for?: string;
  at: string;
  fact: Fact;
}

/** State kept in files: it commits by itself, under the act's id, and its ledger event follows. */
export interface FileStore {
  name: string;
  /** Committed acts whose event may be missing; empty, and cheap, when nothing is owed. */
  owed(root: string): Promise<OwedEvent[]>;
  /** Whether an act was committed here. */
  find(root: string, act: string): Promise<boolean>;
  /** Told once the act's event stands in the ledger. */
  settled(root: string, act: string): Promise<void>;
}
