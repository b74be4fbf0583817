import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { systemIds } from "../platform/index.ts";
import { migrations } from "./migrations/index.ts";
import { open } from "./open.ts";
import { restoreStore } from "./restore.ts";

const start = Date.UTC(2026, 10, 30, 9);
const folder = () => mkdtempDisposableSync(join(tmpdir(), "writ-open-"));
const options = (root: string, mode: "read" | "write" = "write", at = start) => ({
  root,
  workspace: { id: "ws_1", name: "one" },
  clock: { now: () => at },
  ids: systemIds,
  mode,
  waitMs: 50,
});
const later = (version: number) => ({ version, name: `v${version}`, up: async () => {} });
const upTo = (version: number) =>
  [...migrations, ...[2, 3, 4, 5, 6].map(later)].filter((one) => one.version <= version);
const backupsIn = (root: string) =>
  readdirSync(join(root, ".writ"))
    .filter((name) => name.endsWith(".bak"))
    .sort();

test("a reader of a workspace without a store sees an empty one and makes no file", async () => {
  using root = folder();
  await using reader = closing(await open(options(root.path, "read")));
  expect((await reader.store.status()).rows.ledger_events).toBe(0);
  expect(readdirSync(root.path)).toEqual([]);
});

test("a reader that was there first sees what a writer makes later", async () => {
  using root = folder();
  await using reader = closing(await open(options(root.path, "read")));
  await using _writer = closing(await open(options(root.path)));
  expect((await reader.store.status()).rows.workspaces).toBe(1);
});

test("RN-5: each migration leaves a backup beside the store, of which the last three are kept", async () => {
  using root = folder();
  for (const version of [1, 2, 3, 4, 5]) {
    await (await open(options(root.path, "write", start + version * 60_000), upTo(version))).close();
  }
  expect(backupsIn(root.path)).toEqual([
    "writ.db.20261130T090300Z.v2.bak",
    "writ.db.20261130T090400Z.v3.bak",
    "writ.db.20261130T090500Z.v4.bak",
  ]);
});

test("RN-4, RN-5: a backup made before a migration can be restored", async () => {
  using root = folder();
  using other = folder();
  await (await open(options(root.path))).close();
  await (await open(options(root.path), upTo(2))).close();
  const [backup = ""] = backupsIn(root.path);
  const restored = await restoreStore(join(root.path, ".writ", backup), other.path, { now: () => start });
  expect(restored).toEqual({ workspace: { id: "ws_1", name: "one" }, schema_version: 1 });
  await using reader = closing(await open(options(other.path, "read")));
  expect((await reader.store.status()).rows.workspaces).toBe(1);
  expect(JSON.parse(readFileSync(join(other.path, ".writ/workspace.json"), "utf8"))).toMatchObject({
    id: "ws_1",
  });
});

test("RN-5: a migration that was killed leaves a backup that opens, and its completion keeps that one", async () => {
  using root = folder();
  using other = folder();
  await (await open(options(root.path))).close();
  const program = join(import.meta.dirname, "../../../../test/contract/programs/migrator.ts");
  const killed = spawnSync(process.execPath, [program, root.path, "half"]);
  expect(killed.signal).toBe("SIGKILL");
  const [backup = ""] = backupsIn(root.path);
  const restored = await restoreStore(join(root.path, ".writ", backup), other.path, { now: () => start });
  expect(restored.schema_version).toBe(1);
  await (await open(options(root.path), upTo(2))).close();
  expect(backupsIn(root.path)).toContain(backup);
});

test("RN-4: a restore overwrites no store and takes no workspace's place", async () => {
  using root = folder();
  using other = folder();
  const store = await open(options(root.path));
  const copy = join(root.path, "copy.db");
  await store.backup(copy);
  await store.close();
  await expect(restoreStore(copy, root.path, { now: () => start })).rejects.toMatchObject({
    code: "E_EXISTS",
  });
  mkdirSync(join(other.path, ".writ"));
  const identity = { schema: "1", id: "ws_2", name: "two", created_at: "2026-11-30T09:00:00.000Z" };
  writeFileSync(join(other.path, ".writ/workspace.json"), JSON.stringify(identity));
  await expect(restoreStore(copy, other.path, { now: () => start })).rejects.toMatchObject({
    code: "E_EXISTS",
  });
  expect(existsSync(join(other.path, ".writ/writ.db"))).toBe(false);
});

test("RN-4: a backup that is damaged, foreign, newer or absent is refused and nothing is written", async () => {
  using root = folder();
  const clock = { now: () => start };
  const file = join(root.path, "backup.db");
  await expect(restoreStore(file, root.path, clock)).rejects.toMatchObject({ code: "E_NOT_FOUND" });
  writeFileSync(file, "not a database, but long enough to look at".repeat(50));
  await expect(restoreStore(file, root.path, clock)).rejects.toMatchObject({ code: "STORE_ERROR" });
  writeFileSync(file, "");
  {
    using foreign = new DatabaseSync(file);
    foreign.exec("create table songs (name)");
  }
  await expect(restoreStore(file, root.path, clock)).rejects.toMatchObject({ code: "STORE_ERROR" });
  using newer = folder();
  await (await open(options(newer.path), upTo(2))).close();
  const newerFile = join(newer.path, ".writ/writ.db");
  await expect(restoreStore(newerFile, root.path, clock)).rejects.toMatchObject({ code: "E_STORE_NEWER" });
  expect(existsSync(join(root.path, ".writ"))).toBe(false);
});

test("RN-5: a newer store keeps its every byte", async () => {
  using root = folder();
  await (await open(options(root.path), upTo(2))).close();
  const file = join(root.path, ".writ/writ.db");
  const before = readFileSync(file);
  await expect(open(options(root.path))).rejects.toMatchObject({ code: "E_STORE_NEWER" });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(backupsIn(root.path)).toEqual([]);
});

test.for(["read", "write"] as const)(
  "a damaged file is STORE_ERROR to a %sr, and stays as it is",
  async (mode) => {
    using root = folder();
    mkdirSync(join(root.path, ".writ"));
    const file = join(root.path, ".writ/writ.db");
    writeFileSync(file, "x".repeat(5000));
    await expect(open(options(root.path, mode))).rejects.toMatchObject({ code: "STORE_ERROR" });
    expect(readFileSync(file, "utf8")).toBe("x".repeat(5000));
  },
);

test("a database of another program is STORE_ERROR, and stays as it is", async () => {
  using root = folder();
  mkdirSync(join(root.path, ".writ"));
  const file = join(root.path, ".writ/writ.db");
  {
    using foreign = new DatabaseSync(file);
    foreign.exec("create table songs (name)");
  }
  const before = readFileSync(file);
  await expect(open(options(root.path))).rejects.toMatchObject({ code: "STORE_ERROR" });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("a store that is a link is E_UNSAFE_LINK", async () => {
  using root = folder();
  mkdirSync(join(root.path, ".writ"));
  symlinkSync("/dev/null", join(root.path, ".writ/writ.db"));
  await expect(open(options(root.path))).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
});

test("a store that another process holds is E_STORE_LOCKED once the patience is over, and readers read on", async () => {
  using root = folder();
  await using opened = closing(await open(options(root.path)));
  using holder = new DatabaseSync(join(root.path, ".writ/writ.db"));
  holder.exec("begin immediate");
  await expect(opened.store.write(async () => 1)).rejects.toMatchObject({ code: "E_STORE_LOCKED" });
  expect((await opened.store.status()).rows.workspaces).toBe(1);
  holder.exec("rollback");
  expect(await opened.store.write(async () => 1)).toBe(1);
});

test("a read inside a write, and a read inside a read, wait for nobody", async () => {
  using root = folder();
  await using opened = closing(await open(options(root.path)));
  const { store } = opened;
  const counted = () => store.read((db) => db.selectFrom("workspaces").selectAll().execute());
  expect(await store.write(counted)).toHaveLength(1);
  expect(await store.read(() => store.read(counted))).toHaveLength(1);
});

function closing<S extends { close(): Promise<void> }>(store: S) {
  return { store, [Symbol.asyncDispose]: () => store.close() };
}
