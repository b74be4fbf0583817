import type { ActRecord, Caller, Fact, OwedEvent, Session, SqlWriter } from "../contract/index.ts";
import { appendDenied, appendEvent, eventIdOf, type NewEvent } from "../ledger/index.ts";
import type { Store } from "../store/index.ts";
import { createRecall } from "./recall.ts";
import { findReplay, keepAnswered, keepReplay, keyInUse, refuseReuse } from "./replays.ts";

/** One of several folders that share a store. */
export interface Checkout {
  id: string;
  name: string;
}

/** The store of one workspace, opened when it is first used and kept open. */
export interface Stores {
  reader(): Promise<Store>;
  /** The same, where it is open. */
  atHand(): Store | undefined;
  writer(mode?: "write" | "register"): Promise<Store>;
  /** Which checkout acts, where the store is its parent's; null for a workspace of its own. */
  checkout(): Promise<Checkout | null>;
  /** Told after each commit: time for a checkpoint, perhaps. */
  committed(): Promise<void>;
}

/** The store and the ledger of one workspace, as the executor uses them. */
export function createSession({ reader, atHand, writer, checkout, committed }: Stores): Session {
  const write = async <T>(work: (db: SqlWriter, stamp: Stamp) => Promise<T>): Promise<T> => {
    const store = await writer();
    const stamp = stampOf(await checkout());
    const result = await store.write((db) => work(db, stamp));
    await committed();
    return result;
  };

  const recalled = createRecall();
  const recall = <T>(key: string, make: (store: Store) => Promise<T>): Promise<T> => {
    const of = (store: Store) => recalled(store, key, () => make(store));
    const store = atHand();
    return store ? of(store) : reader().then(of);
  };

  return {
    read: async (query) => (await reader()).read(query),
    recall: (key, query) => recall(key, (store) => store.read(query)),
    keep: recall,
    commit: (record, factOf, work) =>
      write(async (db, stamp) => {
        if (record.replay) await refuseReuse(db, record);
        const result = await work(db);
        // Asked again: on PostgreSQL the other call may have been under way when it was asked first.
        if (record.replay && !(await keepReplay(db, record, result))) throw keyInUse();
        await appendEvent(db, stamp(doneEvent(record, factOf(result))));
        return result;
      }),
    append: (owed, replay) =>
      write(async (db, stamp) => {
        await appendEvent(db, stamp({ ...doneEvent(recordOf(owed), owed.fact), at: owed.at }));
        const record = { ...recordOf(owed), ...(replay && { replay }) };
        if (replay) await keepReplay(db, record, replay.data);
      }),
    started: (record) =>
      write(async (db, stamp) => {
        // The outcome has the act's own id, so the beginning has another.
        const id = `${eventIdOf(record.act)}-started`;
        const kind = "call.started";
        await appendEvent(db, stamp({ ...eventOf(record), id, kind, outcome: "started" }));
      }),
    denied: async (record, code) => {
      const denial = { ...eventOf(record), capability: record.capability, code };
      await write((db, stamp) => appendDenied(db, stamp(denial)));
    },
    store: (mode) => (mode === "read" ? reader() : writer(mode)),
    findReplay: (caller, key) => reader().then((store) => store.read((db) => findReplay(db, caller, key))),
    answered: async (record, data) => {
      await (await writer()).write((db) => keepAnswered(db, record, data));
    },
  };
}

function recordOf(owed: OwedEvent): ActRecord {
  const caller: Caller = {
    actor: owed.actor,
    role: "member",
    ...(owed.acts_for && { acts_for: owed.acts_for }),
  };
  return { act: owed.act, capability: owed.capability, caller };
}

type Stamp = <E extends Pick<NewEvent, "payload">>(event: E) => E;

/** Puts into an event which checkout it came from, where several share the ledger. */
function stampOf(checkout: Checkout | null): Stamp {
  return (event) => (checkout ? { ...event, payload: { ...event.payload, checkout } } : event);
}

function eventOf(record: ActRecord): Omit<NewEvent, "kind" | "outcome"> {
  const { actor, acts_for } = record.caller;
  return { id: eventIdOf(record.act), actor, ...(acts_for && { acts_for }), capability: record.capability };
}

function doneEvent(record: ActRecord, fact: Fact): NewEvent {
  return {
    ...eventOf(record),
    kind: "capability.done",
    outcome: "done",
    subjects: fact.subjects ?? [],
    rows: fact.rows ?? [],
    ...(fact.detail && { payload: fact.detail }),
  };
}
