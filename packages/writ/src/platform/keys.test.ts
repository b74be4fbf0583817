import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "./folder.fixture.ts";
import type { Keychain } from "./keychain.ts";
import { openKeys } from "./keys.ts";

function memoryKeychain(): Keychain & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: async (name) => kept.get(name) ?? null,
    set: async (name, secret) => void kept.set(name, secret),
    remove: async (name) => void kept.delete(name),
  };
}

const refusing: Keychain = {
  get: () => Promise.reject(new Error("locked: secret-value")),
  set: () => Promise.reject(new Error("locked: secret-value")),
  remove: () => Promise.reject(new Error("locked: secret-value")),
};

describe("keys without a keychain", () => {
  test("RN-7: a key is kept in a file that only its owner can read", async () => {
    const stateFolder = join(await temporaryFolder(), "state", "writ");
    const keys = openKeys({ env: {}, stateFolder, keychain: null });
    expect(await keys.set("OPENALEX_API_KEY", "secret-value")).toEqual({ source: "file", changed: true });
    expect(await keys.get("OPENALEX_API_KEY")).toEqual({ value: "secret-value", source: "file" });
    expect((await stat(join(stateFolder, "keys.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(stateFolder)).mode & 0o777).toBe(0o700);
    expect(await readdir(stateFolder)).toEqual(["keys.json"]);
  });

  test("RN-7: storing the same key again changes nothing, another value replaces it", async () => {
    const stateFolder = await temporaryFolder();
    const keys = openKeys({ env: {}, stateFolder, keychain: null });
    await keys.set("A", "1");
    expect(await keys.set("A", "1")).toEqual({ source: "file", changed: false });
    expect(await keys.set("A", "2")).toEqual({ source: "file", changed: true });
    expect((await keys.get("A"))?.value).toBe("2");
  });

  test("RN-7: keys stored at once are all kept", async () => {
    const stateFolder = await temporaryFolder();
    const names = Array.from({ length: 10 }, (_, i) => `KEY_${i}`);
    await Promise.all(
      names.map((name) => openKeys({ env: {}, stateFolder, keychain: null }).set(name, name)),
    );
    const listed = await openKeys({ env: {}, stateFolder, keychain: null }).list();
    expect(listed.map(({ name }) => name)).toEqual(names);
  });

  test("RN-7: a removed key is gone, and removing it again says so", async () => {
    const stateFolder = await temporaryFolder();
    const keys = openKeys({ env: {}, stateFolder, keychain: null });
    await keys.set("A", "secret-value");
    expect([await keys.remove("A"), await keys.remove("A")]).toEqual([true, false]);
    expect(await keys.get("A")).toBeNull();
    expect(await readFile(join(stateFolder, "keys.json"), "utf8")).not.toContain("secret-value");
  });

  test("a damaged file is STORE_ERROR and is left as it is", async () => {
    const stateFolder = await temporaryFolder();
    await writeFile(join(stateFolder, "keys.json"), "{");
    const keys = openKeys({ env: {}, stateFolder, keychain: null });
    await expect(keys.set("A", "1")).rejects.toMatchObject({ code: "STORE_ERROR" });
    expect(await readFile(join(stateFolder, "keys.json"), "utf8")).toBe("{");
  });
});

describe("keys with a keychain", () => {
  test("RN-7: the value lies in the keychain and nowhere else", async () => {
    const stateFolder = await temporaryFolder();
    const keychain = memoryKeychain();
    const keys = openKeys({ env: {}, stateFolder, keychain });
    expect(await keys.set("A", "secret-value")).toEqual({ source: "keychain", changed: true });
    expect(await keys.set("A", "secret-value")).toEqual({ source: "keychain", changed: false });
    expect(await keys.get("A")).toEqual({ value: "secret-value", source: "keychain" });
    expect(await readFile(join(stateFolder, "keys.json"), "utf8")).not.toContain("secret-value");
    expect(await keys.remove("A")).toBe(true);
    expect(keychain.kept.size).toBe(0);
  });

  test("RN-7: the environment wins over what is stored", async () => {
    const stateFolder = await temporaryFolder();
    const keychain = memoryKeychain();
    await openKeys({ env: {}, stateFolder, keychain }).set("A", "stored");
    const keys = openKeys({ env: { A: "given", EMPTY: "" }, stateFolder, keychain });
    expect(await keys.get("A")).toEqual({ value: "given", source: "environment" });
    expect(await keys.get("EMPTY")).toBeNull();
  });

  test("RN-7: a list has names and where each comes from, never a value, and asks no keychain", async () => {
    const stateFolder = await temporaryFolder();
    await openKeys({ env: {}, stateFolder, keychain: null }).set("B", "secret-value");
    await openKeys({ env: {}, stateFolder, keychain: memoryKeychain() }).set("C", "secret-value");
    const keys = openKeys({
      env: { A: "secret-value" },
      stateFolder,
      keychain: refusing,
      known: ["A", "UNSET"],
    });
    expect(await keys.list()).toEqual([
      { name: "A", source: "environment" },
      { name: "B", source: "file" },
      { name: "C", source: "keychain" },
    ]);
  });

  test("RN-7: a keychain that refuses is E_KEYCHAIN, exit 3, without the secret; nothing falls back to a file", async () => {
    const stateFolder = await temporaryFolder();
    const keys = openKeys({ env: {}, stateFolder, keychain: refusing });
    const error = await keys.set("A", "secret-value").catch((thrown: unknown) => thrown);
    const object = (error as { toObject(): Record<string, unknown> }).toObject();
    expect(object).toMatchObject({ code: "E_KEYCHAIN", exit_code: 3 });
    expect(JSON.stringify(object)).not.toContain("secret-value");
    expect(await keys.list()).toEqual([]);
  });

  test("RN-7: a machine without a keychain is found out, not guessed", async () => {
    const stateFolder = await temporaryFolder();
    const { source } = await openKeys({ env: {}, stateFolder }).set("A", "1");
    const listed = await openKeys({ env: {}, stateFolder }).list();
    expect(listed).toEqual([{ name: "A", source }]);
    await openKeys({ env: {}, stateFolder }).remove("A");
  });
});

test.each(["", "lower", "A B", "../A", "A\n", "A".repeat(65)])("a key cannot be named %j", async (name) => {
  const keys = openKeys({ env: {}, stateFolder: await temporaryFolder(), keychain: null });
  await expect(keys.get(name)).rejects.toMatchObject({ code: "E_INVALID_NAME" });
  await expect(keys.set(name, "x")).rejects.toMatchObject({ code: "E_INVALID_NAME" });
});
