import type { Call } from "./call.ts";
import type { Capability } from "./capability.ts";
import type { Context, Fact, Workspace } from "./context.ts";
import type { Grant } from "./grant.ts";
import type { ActRecord, Ports, Session } from "./ports.ts";
import type { Command } from "./registry.ts";
import type { FileStore, OwedEvent, SqlWriter } from "./stores.ts";
import type { Warning } from "./warnings.ts";

/** One execution of a capability, before it has a context. */
export interface Act {
  id: string;
  call: Call;
  command: Command;
  capability: Capability;
  grant: Grant;
  dryRun: boolean;
  signal: AbortSignal;
}

/** The part of the execution's state that a context reads and changes. */
interface State {
  workspace?: Workspace;
  session?: Session;
  warnings: Warning[];
}

interface Parts {
  act: Act;
  state: State;
  replay?: NonNullable<ActRecord["replay"]>;
  invoke: Context["invoke"];
}

/** Builds what a capability is given; its commit is the executor's, so that no act leaves without its event. */
export async function createContext(ports: Ports, parts: Parts): Promise<Context & { committed(): boolean }> {
  const { act, state, invoke } = parts;
  const { caller, need } = act.grant;
  let committed = false;

  const session = (): Session => {
    if (!state.session) throw new TypeError(`${act.command.id} has no workspace, so it has no store`);
    return state.session;
  };
  const record: ActRecord = {
    act: act.id,
    capability: act.command.id,
    caller,
    ...(parts.replay && { replay: parts.replay }),
  };

  async function commit<T extends Record<string, unknown>>(
    fact: Fact | ((result: T) => Fact),
    work: (db: SqlWriter) => Promise<T>,
  ): Promise<T> {
    if (act.dryRun || need.effect === "observe") throw new TypeError(`${act.command.id} may not commit here`);
    if (committed) throw new TypeError(`${act.command.id} committed twice`);
    const factOf = (result: T) => (typeof fact === "function" ? fact(result) : fact);
    const store = act.capability.commits;
    if (store === undefined) throw new TypeError(`${act.command.id} declares no store to commit in`);
    if (store === "sql") {
      const result = await session().commit(record, factOf, work);
      committed = true;
      return result;
    }
    // A file store commits by itself; what stands for the database here is never to be touched.
    const result = await work(undefined as never);
    committed = true;
    await appendAfter(store, factOf(result), result);
    return result;
  }

  /** The event of a file store follows its commit; if it cannot be written now, the next writer owes it. */
  async function appendAfter(store: FileStore, fact: Fact, data: Record<string, unknown>): Promise<void> {
    const { workspace } = state;
    if (!workspace) return;
    try {
      await session().append(owedEvent(fact), parts.replay && { ...parts.replay, data });
      await store.settled(workspace.root, act.id);
    } catch {
      state.warnings.push({
        code: "W_LEDGER_OWED",
        message: "The change is made. Its ledger event could not be written yet; the next change writes it first.",
        remediation: "See what is wrong with the store: writ store status",
      });
    }
  }

  function owedEvent(fact: Fact): OwedEvent {
    return {
      act: act.id,
      capability: act.command.id,
      actor: caller.actor,
      ...(caller.acts_for && { acts_for: caller.acts_for }),
      at: new Date(ports.clock.now()).toISOString(),
      fact,
    };
  }

  async function settle(): Promise<void> {
    const { workspace } = state;
    const store = act.capability.commits;
    if (!workspace || store === undefined || store === "sql") return;
    for (const event of await store.owed(workspace.root)) {
      await session().append(event);
      await store.settled(workspace.root, event.act);
    }
  }

  return {
    act: act.id,
    dryRun: act.dryRun,
    caller,
    get workspace() {
      return state.workspace;
    },
    base: act.call.base,
    local: act.call.credential.terminal === true,
    ...(act.call.ask && { ask: act.call.ask }),
    settings: ports.settings,
    folders: ports.folders,
    clock: ports.clock,
    ids: ports.ids,
    signal: act.signal,
    emit: (event) => act.call.emit?.(act.command.streams ? event : { event: "progress", run: act.id, ...event }),
    warn: (warning) => {
      const seen = state.warnings.some((one) => one.code === warning.code && one.message === warning.message);
      if (!seen) state.warnings.push(warning);
    },
    open: (path) => ports.open(act.call, state.workspace, path),
    read: (query) => session().read(query),
    store: () => session().store(),
    commit,
    settle,
    enter: async (root) => {
      state.workspace = { root, source: "init" };
      state.session = ports.session(root);
    },
    registered: ports.registered,
    ...(ports.host && act.call.credential.terminal && { host: ports.host }),
    invoke,
    committed: () => committed,
  };
}
