import { expect, test } from "vitest";
import { environmentVariables } from "../contract/index.ts";
import { createSettings } from "./settings.ts";

test.each(["", "0", "false", "FALSE", "no", "No", "off", "oFF", undefined])(
  "CT-35: a switch of %j is off",
  (value) => {
    expect(createSettings({ WRIT_OFFLINE: value }).isOn("WRIT_OFFLINE")).toBe(false);
  },
);

test.each(["1", "true", "yes", "on", "offline", "00", "nope"])("CT-35: a switch of %j is on", (value) => {
  expect(createSettings({ WRIT_OFFLINE: value }).isOn("WRIT_OFFLINE")).toBe(true);
});

test("CT-35: a variable is what the given environment says, and one that is empty is unset", () => {
  const settings = createSettings({ WRIT_JOBS: "4", WRIT_WORKSPACE: "", GITHUB_TOKEN: "t" });
  expect([settings.env("WRIT_JOBS"), settings.env("WRIT_WORKSPACE"), settings.env("GITHUB_TOKEN")]).toEqual([
    "4",
    undefined,
    "t",
  ]);
});

test("CT-35: a WRIT_ variable that no table declares cannot be read", () => {
  const settings = createSettings({ WRIT_HIDDEN: "1" });
  expect(() => settings.env("WRIT_HIDDEN")).toThrow("WRIT_HIDDEN");
  expect(() => settings.isOn("WRIT_HIDDEN")).toThrow("WRIT_HIDDEN");
});

test("CT-35: the table has each variable once, with its purpose in a sentence", () => {
  const names = environmentVariables.map((variable) => variable.name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, purpose } of environmentVariables) {
    expect(name).toMatch(/^WRIT_[A-Z_]+$/);
    expect(purpose).toMatch(/^[A-Z].*\.$/);
  }
});
