import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { shippedFolder } from "./shipped-folder.ts";

test("what ships with Writ is found from its sources", () => {
  expect(readdirSync(shippedFolder("templates"))).toEqual(
    expect.arrayContaining(["blank.yml", "example-stack"]),
  );
  expect(readdirSync(shippedFolder("skills"))).toContain("writ");
  expect(readdirSync(shippedFolder("guides"))).toContain("quickstart.md");
});

test("what ships with Writ is found from the bundle, at whatever depth a chunk lies", () => {
  using temp = tempFolder();
  mkdirSync(temp.file("dist", "chunks"), { recursive: true });
  writeFileSync(temp.file("package.json"), "{}");
  for (const built of ["dist/main.js", "dist/chunks/init-abc.js"]) {
    expect(shippedFolder("templates", pathToFileURL(temp.file(built)).href)).toBe(temp.file("templates"));
  }
});

test("a program without its package says so instead of looking for ever", () => {
  expect(() => shippedFolder("skills", "file:///nowhere/at/all/x.js")).toThrow(/no package/);
});
