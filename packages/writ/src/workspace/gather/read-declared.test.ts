import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { sha256 } from "../swap/hashes.ts";
import { readDeclared } from "./read-declared.ts";

const settings = { base: "https://github.com", protocols: ["https"], slots: {}, version: "1" };

function filesOf(name: string) {
  const manifest = Buffer.from(`name: ${name}\nschema: writ/1\n`);
  return { manifest, manifestHash: sha256(manifest), lock: null, lockHash: null };
}

test("WS-92: a declaration is read anew once its bytes or the settings differ from those it was kept for", async () => {
  using temp = tempFolder();
  const read = (name: string, more = {}) =>
    readDeclared(temp.path, filesOf(name), { ...settings, folder: temp.file("cache"), ...more });
  expect((await read("one")).manifest.name).toBe("one");
  const [kept = ""] = readdirSync(temp.file("cache/read"));
  const path = join(temp.file("cache/read"), kept);
  writeFileSync(path, readFileSync(path, "utf8").replace('"name":"one"', '"name":"kept"'));
  expect((await read("one")).manifest.name).toBe("kept");
  expect((await read("one", { base: "https://example.org" })).manifest.name).toBe("one");
  expect((await read("two")).manifest.name).toBe("two");
  expect(readdirSync(temp.file("cache/read"))).toEqual([kept]);
});

test("WS-92: a kept reading is the one that was read, and the whole one knows places again", async () => {
  using temp = tempFolder();
  const read = () => readDeclared(temp.path, filesOf("one"), { ...settings, folder: temp.file("cache") });
  const [first, second] = [await read(), await read()];
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  expect(() => second.manifest.locate("/name")).toThrow("knows no places");
  expect((await second.whole()).locate("/schema")).toEqual(first.manifest.locate("/schema"));
});

test("WS-92: a reading that cannot be kept or read back changes no answer", async () => {
  using temp = tempFolder();
  writeFileSync(temp.file("blocked"), "");
  const nameIn = async (folder: string) =>
    (await readDeclared(temp.path, filesOf("one"), { ...settings, folder })).manifest.name;
  expect(await nameIn(temp.file("blocked"))).toBe("one");
  const folder = temp.file("cache");
  await nameIn(folder);
  const [kept = ""] = readdirSync(join(folder, "read"));
  writeFileSync(join(folder, "read", kept), "{");
  expect(await nameIn(folder)).toBe("one");
});

test("WS-92: a declaration with a number that JSON lacks is read anew each time", async () => {
  using temp = tempFolder();
  const manifest = Buffer.from("name: one\nschema: writ/1\nresearch: {most: .inf}\n");
  const files = { manifest, manifestHash: sha256(manifest), lock: null, lockHash: null };
  const read = () => readDeclared(temp.path, files, { ...settings, folder: temp.file("cache") });
  await read();
  expect((await read()).manifest.blocks.research).toEqual({ most: Number.POSITIVE_INFINITY });
});
