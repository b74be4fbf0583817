import { describe, expect, test } from "vitest";
import { cacheFolder, stateFolder, type Place } from "./folders.ts";

const linux: Place = { env: {}, platform: "linux", home: "/home/ana", cwd: "/work" };
const mac: Place = { env: {}, platform: "darwin", home: "/Users/ana" };
const windows: Place = { env: { LOCALAPPDATA: "D:\\Local" }, platform: "win32", home: "C:\\Users\\ana" };

describe("folders", () => {
  test("WS-45: the cache is the platform's cache folder + /writ", () => {
    expect([linux, mac, windows].map(cacheFolder)).toEqual([
      "/home/ana/.cache/writ",
      "/Users/ana/Library/Caches/writ",
      "D:\\Local\\writ\\Cache",
    ]);
    expect(cacheFolder({ ...linux, env: { XDG_CACHE_HOME: "/x" } })).toBe("/x/writ");
  });

  test("WS-45: WRIT_CACHE_DIR wins on every platform", () => {
    for (const place of [linux, mac])
      expect(cacheFolder({ ...place, env: { WRIT_CACHE_DIR: "/c" } })).toBe("/c");
    expect(cacheFolder({ ...linux, env: { WRIT_CACHE_DIR: "c" } })).toBe("/work/c");
  });

  test("the state folder is the platform's own and no cache", () => {
    expect([linux, mac, windows].map(stateFolder)).toEqual([
      "/home/ana/.local/state/writ",
      "/Users/ana/Library/Application Support/writ",
      "D:\\Local\\writ\\State",
    ]);
    expect(stateFolder({ ...windows, env: {} })).toBe("C:\\Users\\ana\\AppData\\Local\\writ\\State");
  });

  test("an XDG folder that is relative or empty is ignored, as its specification asks", () => {
    for (const value of ["", "relative"]) {
      const env = { XDG_CACHE_HOME: value, XDG_STATE_HOME: value };
      expect([cacheFolder({ ...linux, env }), stateFolder({ ...linux, env })]).toEqual([
        cacheFolder(linux),
        stateFolder(linux),
      ]);
    }
  });
});
