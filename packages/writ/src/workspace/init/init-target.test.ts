import { mkdirSync, symlinkSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/fixtures/temp-folder.ts";
import { styledName, targetOf } from "./init-target.ts";
import { isStyledName } from "../declare/model/text.ts";

test("WS-114: the suggestion for any refused name is itself a name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => isStyledName(styledName(text))),
  );
  expect(styledName("Über Shop__2")).toBe("uber-shop-2");
});

test("WS-114: the target is ./NAME, a dot is the folder itself, and --target is any other", async () => {
  using temp = tempFolder();
  const at = { base: temp.path, local: true };
  expect(await targetOf(at, { name: "shop" })).toEqual({ name: "shop", root: temp.file("shop") });
  expect(await targetOf(at, { name: "shop", target: "../x" })).toMatchObject({
    name: "shop",
    root: temp.file("..", "x"),
  });
  expect(await targetOf(at, { name: ".", target: "web-shop" })).toEqual({
    name: "web-shop",
    root: temp.file("web-shop"),
  });
  await expect(targetOf(at, { name: ".." })).rejects.toMatchObject({ code: "E_INVALID_NAME" });
  await expect(targetOf(at, { name: "a/b" })).rejects.toMatchObject({ code: "E_INVALID_NAME" });
});

test("WS-2, CT-23: a caller that is not at the terminal stays below the served folder, links followed", async () => {
  using temp = tempFolder();
  using outside = tempFolder();
  const far = { base: temp.path, local: false };
  mkdirSync(temp.file("in"));
  symlinkSync(outside.path, temp.file("link"));
  expect(await targetOf(far, { name: "shop", target: "in/shop" })).toMatchObject({
    root: temp.file("in", "shop"),
  });
  for (const target of ["../shop", outside.path, "link/shop", "link", "in/../../shop"]) {
    await expect(targetOf(far, { name: "shop", target })).rejects.toMatchObject({ code: "E_UNSAFE_PATH" });
  }
});
