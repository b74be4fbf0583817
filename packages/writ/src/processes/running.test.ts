import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/fixtures/temp-folder.ts";
import { serverLock } from "./running.ts";

test("RN-8, WS-98: a server finds out what stands in the place of .writ before it does anything", async () => {
  using temp = tempFolder();
  writeFileSync(temp.file(".writ"), "");
  await expect(serverLock(temp.path)).rejects.toMatchObject({
    code: "STORE_ERROR",
    failure: { details: { path: ".writ", errno: "ENOTDIR" } },
  });
});

test("WS-56: a server keeps nothing behind a link", async () => {
  using temp = tempFolder();
  mkdirSync(temp.file("outside"));
  mkdirSync(temp.file("w"));
  symlinkSync(temp.file("outside"), temp.file("w/.writ"));
  await expect(serverLock(temp.file("w"))).rejects.toMatchObject({ code: "E_UNSAFE_LINK" });
  expect(readdirSync(temp.file("outside"))).toEqual([]);
});
