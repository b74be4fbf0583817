import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { link, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fail } from "../contract/index.ts";
import { temporaryFolder } from "./folder.fixture.ts";
import { withLock, type LockOptions, type LockOwner } from "./lock.ts";

const fixture = join(import.meta.dirname, "lock.fixture.ts");
const options: LockOptions = { waitMs: 20_000, what: "the workspace", command: "writ test" };

function start(...args: string[]) {
  const child = spawn(process.execPath, ["--expose-gc", fixture, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function holder(path: string) {
  const child = start(path, "hold");
  await once(child.stdout, "data");
  return child;
}

test("WC-G1: a lock is free at once when its owner is killed, and nothing stays behind", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "run.lock");
  const child = await holder(path);
  await expect(withLock(path, { ...options, waitMs: 0 }, async () => "in")).rejects.toMatchObject({
    code: "E_STORE_LOCKED",
  });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await withLock(path, { ...options, waitMs: 0 }, async () => "in")).toBe("in");
  expect(readdirSync(folder)).toEqual([]);
});

test("of eight processes never two are inside", async () => {
  const folder = await temporaryFolder();
  const scratch = join(folder, "log");
  const children = Array.from({ length: 8 }, () => start(join(folder, "locks", "l"), "count", scratch));
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0] as number));
  // A second one inside fails: it creates a file that must not exist.
  expect(codes).toEqual(Array(8).fill(0));
  expect(await readFile(scratch, "utf8")).toBe("in\nout\n".repeat(40));
  expect(existsSync(join(folder, "locks", "l"))).toBe(false);
});

test("who gives up is told the owner's process and command: E_STORE_LOCKED, exit 5, retryable", async () => {
  const path = join(await temporaryFolder(), "run.lock");
  const child = await holder(path);
  const error = await withLock(path, { ...options, waitMs: 30 }, async () => "in").catch(
    (thrown: unknown) => thrown,
  );
  expect((error as ReturnType<typeof fail>).toObject()).toMatchObject({
    code: "E_STORE_LOCKED",
    exit_code: 5,
    retryable: true,
    details: { owner: { pid: child.pid, command: "writ test" } },
  });
});

test("who waits says so once, and enters when the owner leaves", async () => {
  const path = join(await temporaryFolder(), "l");
  const said: (LockOwner | null)[] = [];
  const child = await holder(path);
  const onWait = (owner: LockOwner | null) => {
    said.push(owner);
    child.kill("SIGKILL");
  };
  expect(await withLock(path, { ...options, onWait }, async () => "in")).toBe("in");
  expect(said).toMatchObject([{ pid: child.pid }]);
});

test("two pieces of work in one process never overlap, and neither do their results", async () => {
  const path = join(await temporaryFolder(), "l");
  let inside = 0;
  const work = async (i: number) => {
    expect(++inside).toBe(1);
    await writeFile(`${path}.txt`, String(i));
    expect(await readFile(`${path}.txt`, "utf8")).toBe(String(i));
    inside--;
    return i;
  };
  const results = await Promise.all([1, 2, 3, 4, 5].map((i) => withLock(path, options, () => work(i))));
  expect(results).toEqual([1, 2, 3, 4, 5]);
});

test("work that fails frees the lock", async () => {
  const path = join(await temporaryFolder(), "l");
  await expect(withLock(path, options, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await withLock(path, { ...options, waitMs: 0 }, async () => "in")).toBe("in");
});

test("CT-37: a wait that is given up ends as the signal says, and never enters", async () => {
  const path = join(await temporaryFolder(), "l");
  await holder(path);
  const giveUp = async (reason?: unknown) => {
    const controller = new AbortController();
    const onWait = () => controller.abort(reason);
    return withLock(path, { ...options, signal: controller.signal, onWait }, async () => "in");
  };
  await expect(giveUp()).rejects.toMatchObject({ code: "E_CANCELLED" });
  const deadline = fail("E_DEADLINE", { message: "m", cause: "c", remediation: "r" });
  await expect(giveUp(deadline)).rejects.toBe(deadline);
});

test("CT-12: no secret of the command line is written down for those who wait", async () => {
  const path = join(await temporaryFolder(), "l");
  const command = `writ serve --token writ_${"a".repeat(43)}`;
  const owner = await withLock(path, { ...options, command }, () => readFile(`${path}.owner`, "utf8"));
  expect(owner).toContain("[redacted:writ-token]");
});

test("WS-56: a lock is taken through no link and no pipe, and what they lead to stays as it was", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "l");
  const mine = join(folder, "mine");
  const named = { ...options, folder: ".writ" };
  const refused = { code: "E_UNSAFE_LINK", failure: { details: { path: ".writ/l" } } };
  await symlink(mine, path);
  await expect(withLock(path, named, async () => "in")).rejects.toMatchObject(refused);
  expect(readdirSync(folder)).toEqual(["l"]);
  await rm(path);
  execFileSync("mkfifo", [path]);
  await expect(withLock(path, named, async () => "in")).rejects.toMatchObject(refused);
  await rm(path);
  await writeFile(mine, "mine");
  await symlink(mine, `${path}.owner`);
  expect(await withLock(path, named, async () => "in")).toBe("in");
  await link(mine, `${path}.owner`);
  expect(await withLock(path, named, async () => "in")).toBe("in");
  expect(await readFile(mine, "utf8")).toBe("mine");
  expect(readdirSync(folder)).toEqual(["mine"]);
});

test("WS-56: who waits for a lock does not wait for a pipe in the place of its owner's name", async () => {
  const path = join(await temporaryFolder(), "l");
  await holder(path);
  await rm(`${path}.owner`, { force: true });
  execFileSync("mkfifo", [`${path}.owner`]);
  await expect(withLock(path, { ...options, waitMs: 0 }, async () => "in")).rejects.toMatchObject({
    code: "E_STORE_LOCKED",
  });
});

test("WS-98: a lock that cannot be made is STORE_ERROR without an absolute path", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "file"), "");
  const error = await withLock(join(folder, "file", "l"), options, async () => "in").catch(
    (thrown: unknown) => thrown,
  );
  const object = (error as ReturnType<typeof fail>).toObject();
  expect(object.code).toBe("STORE_ERROR");
  expect(JSON.stringify(object)).not.toContain(folder);
  await mkdir(join(folder, "taken.lock"));
  const named = { ...options, folder: "cache/git/ab" };
  await expect(withLock(join(folder, "taken.lock"), named, async () => "in")).rejects.toMatchObject({
    code: "STORE_ERROR",
    failure: { details: { path: "cache/git/ab/taken.lock" } },
  });
});
