import { describe, expect, test } from "vitest";
import { type ModeSources, resolveMode } from "./mode.ts";

const see = (sources: Partial<ModeSources>) => resolveMode({ offline: false, ...sources });
const deep = { name: "deep-work", mode: "strict" };

describe("the first source that says anything decides", () => {
  test.for([
    [{ variable: "offline", ci: "true" }, "offline", "WRIT_REASONING_MODE"],
    [{ ci: "true", profile: deep }, "ci", "CI"],
    [{ profile: deep, workspace: "fast" }, "strict", "profile deep-work"],
    [{ workspace: "fast" }, "fast", "workspace"],
    [{}, "standard", "default"],
    [{ variable: " strict " }, "strict", "WRIT_REASONING_MODE"],
    [{ variable: "  ", workspace: "fast" }, "fast", "workspace"],
  ] as const)("RS-29: %j (RC-13)", ([sources, mode, source]) => {
    expect(see(sources)).toEqual({ mode, source });
  });
  test.for(["false", "FALSE", " 0 ", "", "no", "Off"])("RS-29: CI=%j is no CI (RC-13)", (ci) => {
    expect(see({ ci }).mode).toBe("standard");
  });
});

test("RS-30: an unknown word stops there, and never falls through to a mode that asks", () => {
  expect(see({ variable: "Strict", workspace: "fast" })).toEqual({
    mode: "unknown",
    source: "WRIT_REASONING_MODE",
    word: "Strict",
  });
});

test("RS-29: offline everywhere is offline here, and never more", () => {
  expect(see({ offline: true, profile: deep })).toEqual({ mode: "offline", source: "WRIT_OFFLINE" });
  expect(see({ offline: true, ci: "1" }).mode).toBe("ci");
  expect(see({ offline: true, variable: "stric" }).mode).toBe("unknown");
});
