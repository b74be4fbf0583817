import type { Call } from "./call.ts";
import type { Capability } from "./capability.ts";
import { createCommitter, sessionOf, type State } from "./committer.ts";
import type { Context } from "./context.ts";
import type { Grant } from "./grant.ts";
import type { ActRecord, Ports } from "./ports.ts";
import type { Command } from "./registry.ts";

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

interface Parts {
  act: Act;
  state: State;
  replay?: NonNullable<ActRecord["replay"]>;
  invoke: Context["invoke"];
}

/** Builds what a capability is given, and tells afterwards whether it committed. */
export function createContext(ports: Ports, parts: Parts): { ctx: Context; committed(): boolean } {
  const { act, state, invoke } = parts;
  const { call, command } = act;
  const { commit, settle, committed } = createCommitter(ports, parts);
  const session = () => sessionOf(act, state);
  const ctx: Context = {
    get act() {
      return act.id;
    },
    dryRun: act.dryRun,
    caller: act.grant.caller,
    get workspace() {
      return state.workspace;
    },
    base: call.base,
    local: call.surface === "cli",
    ...(call.ask && { ask: call.ask }),
    settings: ports.settings,
    folders: ports.folders,
    clock: ports.clock,
    ids: ports.ids,
    signal: act.signal,
    emit: (event) => call.emit?.(command.streams ? event : { event: "progress", run: act.id, ...event }),
    warn: (warning) => {
      const seen = state.warnings.some((one) => one.code === warning.code && one.message === warning.message);
      if (!seen) state.warnings.push(warning);
    },
    open: (path) => ports.open({ ...call, signal: act.signal }, state.workspace, path),
    read: (query) => session().read(query),
    commit,
    store: (mode) => session().store(mode),
    settle,
    enter: async (root) => {
      state.workspace = { root, source: "init" };
      state.session = ports.session(root);
    },
    registered: ports.registered,
    ...(ports.host && call.surface === "cli" && { host: ports.host }),
    invoke,
  };
  return { ctx, committed };
}
