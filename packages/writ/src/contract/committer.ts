import type { Act } from "./create-context.ts";
import type { Context, Fact, Workspace } from "./context.ts";
import type { ActRecord, Ports, Session, Span } from "./ports.ts";
import type { FileStore, OwedEvent } from "./stores.ts";
import { toWritError } from "./errors.ts";
import type { Warning } from "./warnings.ts";

/** The part of an execution's state that its commit reads and changes. */
export interface State {
  workspace?: Workspace;
  session?: Session;
  warnings: Warning[];
  span?: Span | undefined;
}

type Replaying = NonNullable<ActRecord["replay"]>;

/** The one commit of an act, and the making good of events that earlier acts still owe. */
export interface Committer {
  commit: Context["commit"];
  settle: Context["settle"];
  committed(): boolean;
}

/** Makes the committer of one act: no act leaves without its event. */
export function createCommitter(ports: Ports, of: { act: Act; state: State; replay?: Replaying }): Committer {
  const { act, state, replay } = of;
  let committed = false;
  return {
    committed: () => committed,
    settle: () => settle(ports, act, state),
    commit: (fact, work) =>
      traced({ act, state }, async () => {
        const store = requireStore(act, committed);
        const factOf = (result: Parameters<Extract<typeof fact, (...args: never) => Fact>>[0]) =>
          typeof fact === "function" ? fact(result) : fact;
        if (store === "sql") {
          const result = await sessionOf(act, state).commit(recordOf(act, replay), factOf, work);
          committed = true;
          return result;
        }
        // A file store commits by itself; what stands for the database here is never to be touched.
        const result = await work(undefined as never);
        committed = true;
        const event = owedEvent(act, factOf(result), ports.clock.now());
        await appendAfter(store, {
          act,
          state,
          event,
          ...(replay && { replay: { ...replay, data: result } }),
        });
        return result;
      }),
  };
}

/** The commit as a step of the call's trace. */
async function traced<T>({ act, state }: { act: Act; state: State }, commit: () => Promise<T>): Promise<T> {
  const span = state.span?.begin("commit", { "writ.capability": act.command.id });
  try {
    const result = await commit();
    span?.end({});
    return result;
  } catch (thrown) {
    span?.end({ errorCode: toWritError(thrown).code });
    throw thrown;
  }
}

/** The session of the act's workspace; asking for it without one is a defect of the capability. */
export function sessionOf(act: Act, state: State): Session {
  if (!state.session) throw new TypeError(`${act.command.id} has no workspace, so it has no store`);
  return state.session;
}

function requireStore(act: Act, committed: boolean): "sql" | FileStore {
  const { id } = act.command;
  if (act.dryRun || act.grant.need.effect === "observe") throw new TypeError(`${id} may not commit here`);
  if (committed) throw new TypeError(`${id} committed twice`);
  if (act.capability.commits === undefined) throw new TypeError(`${id} declares no store to commit in`);
  return act.capability.commits;
}

function recordOf(act: Act, replay: Replaying | undefined): ActRecord {
  return { act: act.id, capability: act.command.id, caller: act.grant.caller, ...(replay && { replay }) };
}

function owedEvent(act: Act, fact: Fact, now: number): OwedEvent {
  const { actor, acts_for } = act.grant.caller;
  const at = new Date(now).toISOString();
  return { act: act.id, capability: act.command.id, actor, ...(acts_for && { acts_for }), at, fact };
}

interface Following {
  act: Act;
  state: State;
  event: OwedEvent;
  replay?: Replaying & { data: Record<string, unknown> };
}

/** The event of a file store follows its commit; if it cannot be written now, the next writer owes it. */
async function appendAfter(store: FileStore, { act, state, event, replay }: Following): Promise<void> {
  const { workspace } = state;
  if (!workspace) return;
  try {
    await sessionOf(act, state).append(event, replay);
    await store.settled(workspace.root, act.id);
  } catch {
    state.warnings.push({
      code: "W_LEDGER_OWED",
      message:
        "The change is made. Its ledger event could not be written yet; the next change writes it first.",
      remediation: "See what is wrong with the store: writ store status",
    });
  }
}

/** Whatever any file store of this workspace owes, its own or another's, is appended now. */
async function settle(ports: Ports, act: Act, state: State): Promise<void> {
  const { workspace } = state;
  const own = act.capability.commits;
  if (!workspace || own === undefined || own === "sql") return;
  for (const store of new Set([own, ...(await ports.registered.fileStores())])) {
    for (const event of await store.owed(workspace.root)) {
      await sessionOf(act, state).append(event);
      await store.settled(workspace.root, event.act);
    }
  }
}
