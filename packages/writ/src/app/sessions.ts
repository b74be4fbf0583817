import { basename } from "node:path";
import type { Clock, Folders, Ids, Session, Settings, StoreMode } from "../contract/index.ts";
import { createSession } from "../governance/index.ts";
import { checkpointIfDue, installationWitness } from "../ledger/index.ts";
import type { Store } from "../store/index.ts";

interface Tools {
  settings: Settings;
  ids: Ids;
  folders: Folders;
  clock: Clock;
}

interface Kept {
  session: Session;
  close(): Promise<void>;
}

/** One session a workspace: a store is opened at its first use and serves every call of this process. */
export function createSessions(tools: Tools): { of(root: string): Session; close(): Promise<void> } {
  const kept = new Map<string, Kept>();
  return {
    of(root) {
      const known = kept.get(root) ?? keep(root, tools);
      kept.set(root, known);
      return known.session;
    },
    close: async () => {
      await Promise.all([...kept.values()].map((one) => one.close()));
      kept.clear();
    },
  };
}

function keep(root: string, tools: Tools): Kept {
  const opened: { read?: Promise<Store>; write?: Promise<Store> } = {};
  const all = new Set<Promise<Store>>();
  const open = (mode: StoreMode): Promise<Store> => {
    const place = mode === "read" ? "read" : "write";
    // A store that could not be opened is tried again by the next call: the cause may be gone by then.
    const store = openWorkspaceStore(root, mode, tools).catch((error: unknown) => {
      delete opened[place];
      all.delete(store);
      throw error;
    });
    opened[place] = store;
    all.add(store);
    return store;
  };
  let ready: { opened: Promise<Store>; store: Store } | undefined;
  const current = () => opened.write ?? opened.read;
  const read = async (): Promise<Store> => {
    const known = current();
    if (!known) return open("read");
    const store = await known;
    if (store.workspaceId !== nobody) {
      ready = { opened: known, store };
      return store;
    }
    // What read as an empty workspace may have been given an id since, by another process.
    if (!(await isNamed(root))) return store;
    return opened.read === known ? open("read") : read();
  };
  let checkout: Awaited<ReturnType<typeof checkoutOf>> | undefined;
  return {
    session: createSession({
      reader: read,
      atHand: () => (ready?.opened === current() ? ready?.store : undefined),
      writer: (mode = "write") => opened.write ?? open(mode),
      // Asked with the store open for writing: what the folder is, it stays.
      checkout: async () => (checkout ??= await checkoutOf(root)),
      committed: async () => {
        // A checkpoint that cannot be made now is due again after the next commit; the commit stands.
        if (opened.write)
          await checkpointIfDue(await opened.write, installationWitness(tools)).catch(() => null);
      },
    }),
    close: async () => {
      await Promise.all([...all].map(async (store) => (await store.catch(() => undefined))?.close()));
    },
  };
}

async function checkoutOf(root: string): Promise<{ id: string; name: string } | null> {
  const { readIdentity } = await import("../store/index.ts");
  const identity = await readIdentity(root);
  return identity?.parent ? { id: identity.id, name: identity.name } : null;
}

// Whose rows are read where no workspace has an id yet: nobody's.
const nobody = "ws_none";

async function isNamed(root: string): Promise<boolean> {
  const { readIdentity } = await import("../store/index.ts");
  return (await readIdentity(root)) !== null;
}

async function openWorkspaceStore(root: string, mode: StoreMode, tools: Tools): Promise<Store> {
  const { openStore, readIdentity, readOrCreateIdentity, storeHome } = await import("../store/index.ts");
  const made = { name: basename(root), clock: tools.clock, ids: tools.ids };
  const databaseUrl = tools.settings.env("WRIT_DATABASE_URL");
  // A worker or a container has the database and no folder that says which workspace of it.
  const named = databaseUrl && tools.settings.env("WRIT_WORKSPACE_ID");
  const makes = mode !== "read" && !named;
  const identity = makes ? (await readOrCreateIdentity(root, made)).identity : await readIdentity(root);
  // Looking makes nothing: a workspace that never wrote anything reads as an empty one.
  const unnamed = { root, workspace: { id: named || nobody, name: made.name } };
  const home = identity ? await storeHome(root, identity) : unnamed;
  return openStore({
    root: home.root,
    ...(databaseUrl && { databaseUrl }),
    workspace: home.workspace,
    clock: tools.clock,
    ids: tools.ids,
    mode: mode === "read" ? "read" : "write",
    // Whoever names a workspace by its id alone means one that is there; a word that is mistyped makes none.
    register: mode === "register" && identity !== null,
    byName: identity === null && Boolean(named),
  });
}
