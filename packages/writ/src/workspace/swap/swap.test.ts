import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
  mkdirSync,
  symlinkSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryLedger, testContext } from "../../../../../test/support/context.ts";
import { emptyApplied, printApplied, readApplied } from "./applied.ts";
import { readBackups } from "./backups.ts";
import { workspaceFiles } from "./file-store.ts";
import { noFault, type FaultPoint } from "./faults.ts";
import { linkHash } from "./hashes.ts";
import { readJournal } from "./journal.ts";
import { readKept } from "./kept.ts";
import { withRunLock } from "./run-lock.ts";
import { openStaging } from "./staging.ts";
import { finishSwap, type RepoPorts } from "./swap.ts";
import { commitSwap, type SwapPlan } from "./swap-plan.ts";
import { readUndo } from "./undo-record.ts";
import { planUndo } from "./undo.ts";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const noRepos: RepoPorts = {
  forward: async () => {},
  submodule: async () => {},
  prune: async () => true,
  commit: async () => {},
};

function workspace(files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "writ-swap-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");

/** Three actions and a lock, as one run would plan them. */
async function planOf(root: string, run: string) {
  const staging = await openStaging(root, run);
  const created = await staging.put("new\n");
  const updated = await staging.put("second\n");
  const lock = await staging.put("lock\n");
  const text = printApplied({ ...emptyApplied(run), inputs: "x" });
  const applied = await staging.put(text);
  const before = (await readApplied(root)).bytes;
  const plan: SwapPlan = {
    actions: [
      { path: "a/new.md", action: "create", from: null, to: sha("new\n"), staged: created.name },
      { path: "b/old.md", action: "update", from: sha("first\n"), to: sha("second\n"), staged: updated.name },
      { path: "c/gone.md", action: "delete", from: sha("gone\n"), to: null },
      { path: "d/link", action: "link", from: null, to: linkHash("../b"), target: "../b" },
    ],
    clones: [],
    forwards: [],
    prunes: [],
    lock: { from: null, to: sha("lock\n"), staged: lock.name },
    applied: { from: before ? sha(before.toString()) : null, to: sha(text), staged: applied.name },
    undo: false,
    commit: false,
  };
  return { staging, plan };
}

const before = { "b/old.md": "first\n", "c/gone.md": "gone\n", "c/mine.md": "mine\n" };

async function run(root: string, fault: FaultPoint = noFault, ledger = memoryLedger()) {
  const ctx = testContext({ root, stores: [workspaceFiles], ledger });
  await withRunLock(root, { waitMs: 0, command: "test" }, async () => {
    const { staging, plan } = await planOf(root, ctx.act);
    const commit = {
      capability: "workspace.bootstrap",
      fact: {},
      staging,
      repos: noRepos,
      fault,
      answer: () => ({}),
    };
    await commitSwap(ctx, plan, commit);
  });
  return ctx;
}

function expectDone(root: string): void {
  expect(read(root, "a/new.md")).toBe("new\n");
  expect(read(root, "b/old.md")).toBe("second\n");
  expect(existsSync(join(root, "c/gone.md"))).toBe(false);
  expect(readlinkSync(join(root, "d/link"))).toBe("../b");
  expect(read(root, "workspace.lock.yml")).toBe("lock\n");
}

describe("a swap", () => {
  test("WS-92: it makes, replaces, deletes and links, and leaves no journal and no staging behind", async () => {
    const root = workspace(before);
    const ctx = await run(root);
    expectDone(root);
    expect(read(root, "c/mine.md")).toBe("mine\n");
    expect(await readJournal(root)).toBeUndefined();
    expect(existsSync(join(root, ".writ/workspace/staging"))).toBe(false);
    expect(ctx.ledger.events()).toHaveLength(1);
    expect((await readApplied(root)).applied?.run).toBe(ctx.act);
  });

  test("WS-94: interrupted after any rename, it is completed by whoever comes next, with one event", async () => {
    let moments = 0;
    for (let moment = 0; ; moment++) {
      const root = workspace(before);
      const ledger = memoryLedger();
      let left = moment;
      const dies: FaultPoint = () => {
        if (left-- === 0) throw new Error("killed");
      };
      const killed = await run(root, dies, ledger).then(
        () => false,
        () => true,
      );
      if (!killed) break;
      moments = moment + 1;
      const ctx = testContext({ root, stores: [workspaceFiles], ledger });
      await withRunLock(root, { waitMs: 0, command: "test" }, async () => {
        const journal = await readJournal(root);
        if (journal) await finishSwap(root, journal, { repos: noRepos, fault: noFault });
        await ctx.settle();
      });
      expectDone(root);
      expect(ledger.events()).toHaveLength(1);
      expect(await readJournal(root)).toBeUndefined();
      expect(existsSync(join(root, ".writ/workspace/staging"))).toBe(false);
    }
    expect(moments).toBeGreaterThan(5);
  });

  test("WS-94: another writer may append the event early, and the journal stays until the swap is complete", async () => {
    const root = workspace(before);
    await run(root, (name) => {
      if (name === "h") throw new Error("killed");
    }).catch(() => {});
    const [owed] = await workspaceFiles.owed(root);
    await workspaceFiles.settled(root, owed?.act ?? "");
    expect(await readJournal(root)).toBeDefined();
    expect(await workspaceFiles.find(root, owed?.act ?? "")).toBe(true);
  });

  test("WS-92: a file edited between the plan and its rename is kept, and its base stays what it was", async () => {
    const root = workspace(before);
    await run(root, (name) => {
      if (name === "g") writeFileSync(join(root, "b/old.md"), "edited just now\n");
    });
    expect(read(root, "b/old.md")).toBe("edited just now\n");
    expect(read(root, "a/new.md")).toBe("new\n");
    expect((await readUndo(root))?.actions.map((action) => action.path)).not.toContain("b/old.md");
  });

  test("WS-56: a parent that has become a link is not written through", async () => {
    const root = workspace(before);
    const outside = mkdtempSync(join(tmpdir(), "writ-outside-"));
    const attempt = run(root, (name) => {
      if (name !== "g") return;
      rmSync(join(root, "b"), { recursive: true });
      symlinkSync(outside, join(root, "b"));
    });
    await expect(attempt).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
    expect(existsSync(join(outside, "old.md"))).toBe(false);
  });

  test("WS-92: an edit written through an open handle during the rename survives as a backup", async () => {
    const root = workspace(before);
    const { staging, plan } = await planOf(root, "act_x");
    const journal = { schema: "writ-journal/1" as const, run: "act_x", event: event(), ...plan };
    // What an editor with the old file open would write: the second name still leads to those bytes.
    await finishSwap(root, journal, {
      repos: noRepos,
      fault: (name) => {
        if (name === "h" && existsSync(join(staging.folder, "old/1")))
          writeFileSync(join(staging.folder, "old/1"), "late\n");
      },
    });
    const backups = await readBackups(root);
    expect(backups).toEqual([{ path: "b/old.md", sha256: sha("late\n"), run: "act_x" }]);
    expect((await readKept(root, sha("late\n")))?.toString()).toBe("late\n");
  });
});

describe("undo", () => {
  test("WS-96: it restores files, links and lock, and there is nothing to undo afterwards", async () => {
    const root = workspace(before);
    await run(root);
    await undo(root);
    for (const [path, text] of Object.entries(before)) expect(read(root, path)).toBe(text);
    for (const path of ["a", "d", "workspace.lock.yml"]) expect(existsSync(join(root, path))).toBe(false);
    expect(await readUndo(root)).toBeUndefined();
  });

  test("WS-96: a file changed since the run is kept and reported", async () => {
    const root = workspace(before);
    await run(root);
    writeFileSync(join(root, "b/old.md"), "mine now\n");
    const kept = await undo(root);
    expect(kept).toEqual([{ path: "b/old.md", reason: "changed_since" }]);
    expect(read(root, "b/old.md")).toBe("mine now\n");
    expect(read(root, "c/gone.md")).toBe("gone\n");
  });
});

function event() {
  return {
    act: "act_x",
    capability: "workspace.bootstrap",
    actor: "user:test",
    at: "2026-01-01T00:00:00.000Z",
    fact: {},
  };
}

async function undo(root: string) {
  const ctx = testContext({ root, stores: [workspaceFiles] });
  return withRunLock(root, { waitMs: 0, command: "test" }, async () => {
    const staging = await openStaging(root, ctx.act);
    const record = await readUndo(root);
    if (!record) throw new Error("nothing to undo");
    const { swap, kept } = await planUndo(root, record, { run: ctx.act, staging });
    const commit = {
      capability: "workspace.bootstrap",
      fact: {},
      staging,
      repos: noRepos,
      fault: noFault,
      answer: () => ({}),
    };
    await commitSwap(ctx, swap, commit);
    return kept;
  });
}
