import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { changeLibrary, commitLibrary } from "../../../packages/writ/src/research/library/change.ts";
import { Database } from "../../../packages/writ/src/research/library/database.ts";
import {
  libraryFiles,
  noteFolder,
  noteOwed,
} from "../../../packages/writ/src/research/library/file-store.ts";
import { count } from "../../../packages/writ/src/research/library/fold/reach.ts";
import { corpusHash } from "../../../packages/writ/src/research/library/hash.ts";
import { readLibrary } from "../../../packages/writ/src/research/library/use.ts";
import { createSnapshot } from "../../../packages/writ/src/research/snapshot/create.ts";
import { validateLibrary } from "../../../packages/writ/src/research/validate/validate.ts";
import { canMount, smallDisk } from "../../fixtures/small-disk.ts";
import { tempFolder } from "../../fixtures/temp-folder.ts";
import { testContext } from "../../support/context.ts";
import { alphaSeeds, libraryIn, workOf } from "./works.ts";

const program = fileURLToPath(new URL("programs/use-library.ts", import.meta.url));
const start = (...args: string[]) =>
  spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });

async function ended(child: ReturnType<typeof start>): Promise<string> {
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return code === 0 ? "" : errors;
}

test("RL-20, RL-181: two writers and three readers at once all come to their end", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  await add(alphaSeeds);
  const children = [
    ...["1", "1"].map((times) => start(temp.path, "write", times)),
    ...["2", "2", "2"].map((times) => start(temp.path, "read", times)),
  ];
  expect(await Promise.all(children.map(ended))).toEqual(["", "", "", "", ""]);
  expect(await readLibrary(ctx(), (db) => count(db, "papers WHERE active"))).toBe(6);
  expect(await validateLibrary(ctx(), { full: true })).toMatchObject({ valid: true });
});

test("RL-21, RL-181: a writer that is killed inside its transaction leaves the old library", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  await add([workOf({ title: "Before", sourceId: "W1" })]);
  const before = await readLibrary(ctx(), (db) => corpusHash(db));
  const child = start(temp.path, "hang");
  await once(child.stdout ?? child, "data");
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await readLibrary(ctx(), (db) => corpusHash(db))).toBe(before);
  expect(await validateLibrary(ctx(), { full: true })).toMatchObject({ valid: true, total_papers: 1 });
  expect(await add(alphaSeeds)).toMatchObject({ added: 4 });
});

test("RL-21, RL-22: one that is killed right after its commit leaves the new library, and its event owed", async () => {
  using temp = tempFolder();
  const { ctx } = libraryIn(temp.path);
  await once(start(temp.path, "die"), "close");
  expect(await readLibrary(ctx(), (db) => count(db, "papers WHERE active"))).toBe(4);
  expect(await libraryFiles.owed(temp.path)).toMatchObject([{ capability: "research.seed" }]);
  expect(await validateLibrary(ctx(), { full: true })).toMatchObject({ valid: true });
});

test("RL-20: of two writers that do not wait one is told who is at work", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  await add([workOf({ title: "A", sourceId: "W1" })]);
  let go = (): void => {};
  const opened = new Promise<void>((inside) => {
    go = inside;
  });
  let leave = (): void => {};
  const free = new Promise<void>((done) => {
    leave = done;
  });
  const options = { verb: "curate.accept", params: {}, wait: 0 };
  const first = commitLibrary(ctx(), options, async () => {
    go();
    await free;
    return {};
  });
  await opened;
  const second = await commitLibrary(ctx(), options, async () => ({})).catch((thrown: unknown) => thrown);
  const reader = await readLibrary(ctx(), (db) => count(db, "papers"), { wait: 0 }).catch(
    (thrown: unknown) => thrown,
  );
  leave();
  await first;
  expect([second, reader]).toMatchObject([
    { code: "E_STORE_LOCKED", failure: { details: { owner: { pid: process.pid } } } },
    { code: "E_STORE_LOCKED", failure: { details: { waited_ms: 0 } } },
  ]);
});

test("RL-19: bytes that are no library, and no file at all, are told apart", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  const reading = () => readLibrary(ctx(), (db) => count(db, "papers")).catch((thrown: unknown) => thrown);
  expect(await reading()).toMatchObject({ code: "E_LIBRARY_MISSING" });
  await add([workOf({ title: "A", sourceId: "W1" })]);
  writeFileSync(temp.file(".writ/research/library.duckdb"), "0123456789");
  expect(await reading()).toMatchObject({
    code: "E_LIBRARY_CORRUPT",
    failure: { details: { newest_snapshot: null } },
  });
});

test("RL-19: a database of another program, and one without a table, are no library", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  const file = temp.file(".writ/research/library.duckdb");
  mkdirSync(join(temp.path, ".writ/research"), { recursive: true });
  const reading = () => readLibrary(ctx(), (db) => count(db, "papers")).catch((thrown: unknown) => thrown);
  const adding = () => add([workOf({ title: "A", sourceId: "W1" })]);
  const other = await Database.open({ file });
  other.close();
  expect(await reading()).toMatchObject({ code: "E_LIBRARY_MISSING" });
  const theirs = await Database.open({ file });
  await theirs.run("CREATE TABLE papers (x INTEGER)");
  theirs.close();
  const refused = {
    code: "E_LIBRARY_CORRUPT",
    failure: { cause: expect.stringContaining("another program") },
  };
  expect(await reading()).toMatchObject(refused);
  await expect(adding()).rejects.toMatchObject(refused);
});

test.runIf(canMount())("RL-21: a disk that is full leaves no beginning of a library behind", async () => {
  using temp = tempFolder();
  const root = temp.file("disk");
  using disk = smallDisk(root);
  const { ctx } = libraryIn(root);
  const begin = () =>
    changeLibrary(ctx(), { verb: "seed", params: {}, creates: true }, async () => ({})).catch(
      (thrown: unknown) => thrown,
    );
  mkdirSync(join(root, ".writ/research"), { recursive: true });
  const free = disk.fill();
  expect(await begin()).toMatchObject({ code: "STORE_ERROR" });
  expect(existsSync(join(root, ".writ/research/library.duckdb"))).toBe(false);
  free();
  expect(await begin()).not.toBeInstanceOf(Error);
});

test("RL-19: a link among the library's folders is not followed", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  await add([workOf({ title: "A", sourceId: "W1" })]);
  mkdirSync(temp.file("elsewhere"));
  for (const name of ["pages", "networks", "snapshots", "exports", "owed", ".tmp", "library.duckdb.wal"]) {
    const folder = temp.file(`.writ/research/${name}`);
    rmSync(folder, { recursive: true, force: true });
    symlinkSync(temp.file("elsewhere"), folder);
    const error = await readLibrary(ctx(), (db) => count(db, "papers")).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "E_UNSAFE_LINK" });
    rmSync(folder);
    if (!name.endsWith(".wal")) mkdirSync(folder);
  }
});

test("WS-56: a library's folder that is a link is refused before its lock is taken there", async () => {
  using temp = tempFolder();
  const { ctx } = libraryIn(temp.path);
  mkdirSync(temp.file("elsewhere"));
  mkdirSync(temp.file(".writ"), { recursive: true });
  writeFileSync(temp.file("elsewhere/library.lock.owner"), "mine");
  symlinkSync(temp.file("elsewhere"), temp.file(".writ/research"));
  const change = changeLibrary(ctx(), { verb: "seed", params: {}, creates: true }, async () => ({}));
  await expect(change).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
  expect(readFileSync(temp.file("elsewhere/library.lock.owner"), "utf8")).toBe("mine");
});

test("RL-22: what was committed and not told to the ledger is owed until it is; what was not is not", async () => {
  using temp = tempFolder();
  const it = testContext({ root: temp.path, stores: [libraryFiles] });
  await changeLibrary(it, { verb: "seed", params: {}, creates: true }, async (change) => {
    change.setCounts({ papers_new: 0 });
    return {};
  });
  const owed = await libraryFiles.owed(temp.path);
  expect(owed).toMatchObject([
    {
      act: it.act,
      capability: "research.seed",
      actor: "user:test",
      fact: { detail: { verb: "seed", papers_new: 0 } },
    },
  ]);
  expect(await libraryFiles.find(temp.path, it.act)).toBe(true);
  // The next writer tells it first.
  const { add } = libraryIn(temp.path);
  await add([workOf({ title: "A", sourceId: "W1" })]);
  expect(await libraryFiles.owed(temp.path)).toEqual([]);
  const never = testContext({ root: temp.path });
  await noteOwed(never, "research.seed", {});
  expect(await libraryFiles.owed(temp.path)).toEqual([]);
  expect(await libraryFiles.find(temp.path, never.act)).toBe(false);
  expect(readdirSync(temp.file(".writ/research/owed"))).toEqual([]);
  expect(existsSync(temp.file(".writ/research/library.lock"))).toBe(false);
});

test("RL-22: a snapshot is owed once its folder has its name, and what was never made is not", async () => {
  using temp = tempFolder();
  const { ctx, add } = libraryIn(temp.path);
  await add([workOf({ title: "A", sourceId: "W1" })]);
  // A context whose commit tells no store that the ledger has it.
  const it = testContext({ root: temp.path });
  const made = await createSnapshot(it, undefined);
  const snapshots = temp.file(".writ/research/snapshots");
  const owed = await libraryFiles.owed(temp.path);
  expect(owed).toEqual([
    {
      act: it.act,
      capability: "research.snapshot.create",
      actor: "user:test",
      at: expect.any(String),
      fact: {
        subjects: [`file:${made.snapshot_dir}`],
        detail: { corpus_hash: made.corpus_hash, total_papers: 1 },
      },
    },
  ]);
  // One that is being written is neither owed nor forgotten; one that left no folder is forgotten.
  const folders = { from: join(snapshots, ".stage-x"), to: join(snapshots, "x") };
  const other = ctx();
  await noteFolder(other, { capability: "research.snapshot.create", fact: {}, renamed: folders });
  mkdirSync(folders.from);
  expect(await libraryFiles.owed(temp.path)).toHaveLength(1);
  renameSync(folders.from, folders.to);
  expect(await libraryFiles.owed(temp.path)).toHaveLength(2);
  await add([workOf({ title: "B", sourceId: "W2" })]);
  expect(await libraryFiles.owed(temp.path)).toEqual([]);
  const never = ctx();
  await noteFolder(never, {
    capability: "research.snapshot.create",
    fact: {},
    renamed: { from: "gone", to: "never" },
  });
  expect(await libraryFiles.owed(temp.path)).toEqual([]);
  expect(readdirSync(temp.file(".writ/research/owed"))).toEqual([]);
});
