import type { Context } from "../../contract/index.ts";
import type { LoopState } from "../model.ts";
import type { Database } from "./database.ts";
import type { Action } from "./states.ts";

/** What a run's row says beside its verb and parameters. */
export interface RunDetails {
  planHash?: string;
  source?: string;
  sourceVersion?: string | null;
  equation?: { id: string; text: string; executedQuery?: unknown; translation?: unknown };
  usage?: Record<string, unknown>;
  /** The version of the agent's run that called, where one did. */
  agentRun?: string;
}

/** What a fold did to active papers. */
export interface Folded {
  added: number;
  /** Papers whose canonical row or id changed. */
  changed: number;
  removed: number;
}

/** A change of the library while it is being made: one transaction. */
export interface Change {
  db: Database;
  ctx: Context;
  run: { id: string; at: Date };
  /** Papers whose decisions, citers, references or merges changed: they are computed again. */
  touch(papers: Iterable<string>): Promise<void>;
  /** Computes papers again now, to read them; it is done at the end in any case. Adds to what was folded before. */
  fold(): Promise<Folded>;
  /** Numbers of the run, kept in its row and told to the ledger; called again it adds. */
  setCounts(counts: Record<string, unknown>): void;
  /** What is known of the run only now: usage, the source's version, the equation. */
  setDetails(details: RunDetails): void;
  /** Moves the loop on, in this transaction. Answers the new state and round. */
  transition(action: Action): Promise<{ state: LoopState; round: number }>;
}
