import { existsSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPageStore, pageFile } from "./page-store.ts";
import { sweepPages } from "./sweep.ts";

test("WS-56: no page is written, and nothing old removed, through a link among the folders of pages", async () => {
  const folder = await mkdtemp(join(tmpdir(), "writ-sweep-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const mine = await mkdtemp(join(tmpdir(), "writ-mine-"));
  onTestFinished(() => rm(mine, { recursive: true }));
  await writeFile(join(mine, "thesis.txt"), "mine");
  await utimes(join(mine, "thesis.txt"), 0, 0);
  await symlink(mine, join(folder, "aa"));
  const common = { source: "openalex" as const, method: "GET", url: "u", headers: {}, body: {}, run: null };
  const page = { ...common, key: "a".repeat(64), at: "2026-06-30T00:00:00Z" };
  await expect(openPageStore(folder).write(page)).rejects.toMatchObject({
    code: "E_UNSAFE_LINK",
    failure: { details: { path: ".writ/research/pages/aa" } },
  });
  expect(await sweepPages(folder, { now: Date.parse(page.at), unfinished: async () => new Set() })).toBe(0);
  expect(await readdir(mine)).toEqual(["thesis.txt"]);
});

test("RL-73: pages older than ninety days go, but for those of unfinished runs and those that only look old", async () => {
  const folder = await mkdtemp(join(tmpdir(), "writ-sweep-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = openPageStore(folder);
  const now = Date.parse("2026-06-30T00:00:00Z");
  const day = 86_400_000;
  const keep = async (letter: string, of: { run: string; days: number; fileDays?: number }) => {
    const key = letter.repeat(64);
    const at = new Date(now - of.days * day);
    const common = { source: "openalex" as const, method: "GET", url: "u", headers: {}, body: {} };
    await store.write({ ...common, key, run: of.run, at: at.toISOString() });
    const time = new Date(now - (of.fileDays ?? of.days) * day);
    await utimes(pageFile(folder, key), time, time);
    return () => existsSync(pageFile(folder, key));
  };
  const old = await keep("a", { run: "rr_done", days: 91 });
  const young = await keep("b", { run: "rr_done", days: 89 });
  const open = await keep("c", { run: "rr_open", days: 400 });
  const restored = await keep("d", { run: "rr_done", days: 10, fileDays: 400 });
  let asked = 0;
  const unfinished = async () => {
    asked += 1;
    return new Set(["rr_open"]);
  };
  expect(await sweepPages(folder, { now, unfinished })).toBe(1);
  expect([old(), young(), open(), restored()]).toEqual([false, true, true, true]);
  expect(asked).toBe(1);
  expect(await sweepPages(join(folder, "none"), { now, unfinished })).toBe(0);
});
