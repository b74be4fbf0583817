import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type {
  Context,
  FileStore,
  OwedEvent,
  Progress,
  SqlReader,
  Warning,
} from "../../packages/writ/src/contract/index.ts";
import { createIds, createSettings, type Environment } from "../../packages/writ/src/platform/index.ts";

/** A ledger as small as can be: one line an act, the same act once. */
export interface TestLedger {
  append(event: OwedEvent): void;
  events(): OwedEvent[];
}

export function memoryLedger(): TestLedger {
  const events: OwedEvent[] = [];
  return {
    append: (event) => {
      if (!events.some((known) => known.act === event.act)) events.push(event);
    },
    events: () => events,
  };
}

/** The same in a file, for processes that are killed. */
export function fileLedger(path: string): TestLedger {
  const events = (): OwedEvent[] =>
    existsSync(path)
      ? readFileSync(path, "utf8")
          .trim()
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as OwedEvent)
      : [];
  return {
    append: (event) => {
      if (!events().some((known) => known.act === event.act))
        appendFileSync(path, `${JSON.stringify(event)}\n`);
    },
    events,
  };
}

export interface TestContextOptions {
  root: string;
  capability?: string;
  env?: Environment;
  dryRun?: boolean;
  ledger?: TestLedger;
  stores?: FileStore[];
  /** Milliseconds since 1970 at which the clock stands. */
  now?: number;
  signal?: AbortSignal;
}

export interface TestContext extends Context {
  warnings: Warning[];
  progress: Omit<Progress, "event" | "run">[];
  ledger: TestLedger;
}

let chance = 0;

/** A context whose commits go to a ledger that a test can read. */
export function testContext(options: TestContextOptions): TestContext {
  const {
    root,
    ledger = memoryLedger(),
    stores = [],
    dryRun = false,
    capability = "workspace.bootstrap",
  } = options;
  const warnings: Warning[] = [];
  const progress: TestContext["progress"] = [];
  const now = options.now ?? Date.now();
  const seed = chance++;
  const ids = createIds({
    now: () => now,
    randomBytes: (size) => Buffer.alloc(size, `${process.pid}.${seed}.${chance++}`),
  });
  const act = ids.next("act");
  const caller = { actor: "user:test", role: "owner" as const };
  const settle = async (): Promise<void> => {
    for (const store of stores) {
      for (const event of await store.owed(root)) {
        ledger.append(event);
        await store.settled(root, event.act);
      }
    }
  };
  const base: Partial<TestContext> = {
    act,
    dryRun,
    caller,
    workspace: { root, source: "flag" },
    base: root,
    local: true,
    settings: createSettings(options.env ?? {}),
    folders: { cache: options.env?.WRIT_CACHE_DIR ?? `${root}/.cache`, state: `${root}/.state` },
    clock: { now: () => now },
    ids,
    signal: options.signal ?? new AbortController().signal,
    emit: (event) => void progress.push(event as TestContext["progress"][number]),
    warn: (warning) => void warnings.push(warning),
    read: (query) => query({} as SqlReader),
    commit: async (fact, work) => {
      if (dryRun) throw new Error("a dry run has no commit");
      const result = await work(undefined as never);
      const event = typeof fact === "function" ? fact(result) : fact;
      const at = new Date(now).toISOString();
      ledger.append({ act, capability, actor: caller.actor, at, fact: event });
      for (const store of stores) await store.settled(root, act);
      return result;
    },
    settle,
    registered: {
      fileStores: async () => [],
      references: async () => [],
      checks: async () => [],
      statusBlocks: async () => [],
      resources: [],
      beginnings: async () => [],
      topics: async () => [],
      slots: {},
      block: async () => undefined,
      version: "test",
      schemas: async () => ({}),
      manual: async () => ({}),
    },
    invoke: () => Promise.reject(new Error("nothing is invoked here")),
    warnings,
    progress,
    ledger,
  };
  return base as TestContext;
}
