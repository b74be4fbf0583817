import { expect, test } from "vitest";
import { retryBusy } from "./retry-busy.ts";

const busy = () => Object.assign(new Error("database is locked"), { code: "ERR_SQLITE_ERROR", errcode: 5 });
const patience = { waitMs: 100, chance: () => 0 };

test("work that finds the database busy is tried again until it is free", async () => {
  let turns = 0;
  const answer = await retryBusy(patience, () => {
    if (++turns < 4) throw busy();
    return "done";
  });
  expect([answer, turns]).toEqual(["done", 4]);
});

test("the process goes on while it waits", async () => {
  let ticks = 0;
  const waiting = retryBusy(patience, () => {
    if (ticks < 3) throw busy();
    return ticks;
  });
  const tick = () => (++ticks < 3 ? setImmediate(tick) : undefined);
  setImmediate(tick);
  expect(await waiting).toBe(3);
});

test("a database that stays busy is E_STORE_LOCKED, which may be tried again", async () => {
  const stuck = retryBusy(patience, () => {
    throw busy();
  });
  const error = await stuck.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "E_STORE_LOCKED" });
});

test("any other failure passes at once", async () => {
  let turns = 0;
  const failing = retryBusy(patience, () => {
    turns++;
    throw new Error("no such table");
  });
  await expect(failing).rejects.toThrow("no such table");
  expect(turns).toBe(1);
});
