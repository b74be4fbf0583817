import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { type TestApp, testApp } from "../support/test-app.ts";

interface Told {
  begun: string[];
  /** Idempotency key to the id of the token that was made. */
  done: Map<string, string>;
  failed: string[];
}

interface Loop {
  child: ChildProcess;
  told: Told;
  /** Resolves when the process has ended and all it said was read. */
  ended: Promise<void>;
}

/** Starts a process that makes tokens; `onLine` hears each line it says as it says it. */
function startLoop(
  it: TestApp,
  name: string,
  options: { count: number; onLine?: (line: string, child: ChildProcess) => void },
): Loop {
  const script = join(import.meta.dirname, "../support/token-loop.ts");
  const child = spawn(process.execPath, [script, it.root, name, String(options.count)], {
    env: { PATH: process.env.PATH, HOME: it.home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const told: Told = { begun: [], done: new Map(), failed: [] };
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const [what, key = "", id = ""] = line.split(" ");
    if (what === "begin") told.begun.push(key);
    if (what === "done") told.done.set(key, id);
    if (what === "failed") told.failed.push(line);
    options.onLine?.(line, child);
  });
  const ended = Promise.all([once(child, "close"), once(lines, "close")]).then(() => {});
  return { child, told, ended };
}

interface Event {
  seq: number;
  capability: string;
  rows: { table: string; id: string }[];
}

/** Every event, oldest first. */
async function eventsOf(it: TestApp): Promise<Event[]> {
  return ((await it.call("ledger.list", { limit: 1000 })).data.events as Event[]).toReversed();
}

/** The store as it must be after anything: whole chain, one event a token, no token without one. */
async function expectWhole(it: TestApp): Promise<string[]> {
  expect((await it.call("ledger.verify")).error).toBe(null);
  const events = await eventsOf(it);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
  const made = events.flatMap((event) =>
    event.rows.filter((row) => row.table === "tokens").map((row) => row.id),
  );
  const tokens = ((await it.call("token.list")).data.tokens as { id: string }[]).map((token) => token.id);
  expect(made.toSorted()).toEqual(tokens.toSorted());
  expect(new Set(made).size).toBe(events.length);
  return tokens;
}

test("AG-158, AG-160: a process killed at any moment leaves each token with its event, and none half made", async () => {
  await using it = testApp();
  const known: string[] = [];
  // Killed as it begins a call, and as it ends one: from its very first, which makes the store, on.
  for (const [round, deadly] of [
    "begin r0-1",
    "begin r1-2",
    "done r2-1",
    "begin r3-6",
    "done r4-9",
  ].entries()) {
    const { told, ended } = startLoop(it, `r${round}`, {
      count: 1000,
      onLine: (line, child) => {
        if (line.startsWith(deadly)) child.kill("SIGKILL");
      },
    });
    await ended;
    expect(told.failed).toEqual([]);
    known.push(...told.done.values());
    const tokens = await expectWhole(it);
    // What was answered stands.
    expect(known.filter((id) => !tokens.includes(id))).toEqual([]);
  }
});

test("CT-20: a call whose process was killed is answered or made by its repetition, and never twice", async () => {
  await using it = testApp();
  const { told, ended } = startLoop(it, "lost", {
    count: 1000,
    onLine: (line, child) => {
      if (line === "begin lost-5") child.kill("SIGKILL");
    },
  });
  await ended;
  const repeat = (key: string) => it.call("token.create", { subject: "user:lost" }, { idempotencyKey: key });
  for (const key of told.begun) {
    const [first, second] = [await repeat(key), await repeat(key)];
    expect(first.ok && second.ok).toBe(true);
    expect(second.data.id).toBe(first.data.id);
    expect(first.data.id).toBe(told.done.get(key) ?? first.data.id);
  }
  expect(await expectWhole(it)).toHaveLength(told.begun.length);
});

test("AG-160: two processes that write at once make one gapless chain", async () => {
  await using it = testApp();
  const loops = ["one", "other"].map((name) => startLoop(it, name, { count: 50 }));
  for (const { told, ended } of loops) {
    await ended;
    expect(told.failed).toEqual([]);
    expect(told.done.size).toBe(50);
  }
  expect(await expectWhole(it)).toHaveLength(100);
});
