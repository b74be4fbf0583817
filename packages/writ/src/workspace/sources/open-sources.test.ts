import { expect, test } from "vitest";
import { createSettings } from "../../platform/index.ts";
import { openSources } from "./open-sources.ts";

const open = (environment: Record<string, string>, flags = {}) =>
  openSources({ settings: createSettings(environment), folder: "/tmp/cache", command: "test", flags });

test("WS-111: without settings the defaults hold", () => {
  expect(open({})).toMatchObject({
    base: "https://github.com",
    protocols: ["https", "ssh", "file"],
    offline: false,
    jobs: 8,
  });
});

test("WS-111: settings are read, and a flag stands above its variable", () => {
  const environment = {
    WRIT_JOBS: "3",
    WRIT_OFFLINE: "1",
    WRIT_GIT_PROTOCOLS: "https",
  };
  expect(open(environment)).toMatchObject({
    jobs: 3,
    offline: true,
    protocols: ["https"],
    cache: { folder: "/tmp/cache" },
  });
  expect(open(environment, { jobs: 5, offline: false }).jobs).toBe(5);
});

test.each([
  ["WRIT_JOBS", "0"],
  ["WRIT_JOBS", "33"],
  ["WRIT_GIT_TIMEOUT", "soon"],
])("WS-111: %s=%s is E_INVALID_VALUE", (name, value) => {
  expect(() => open({ [name]: value })).toThrow(expect.objectContaining({ code: "E_INVALID_VALUE" }));
});

test("WS-26: a base that is not allowed is E_UNSAFE_URL with its reason", () => {
  expect(() => open({ WRIT_GIT_BASE: "ext::sh -c evil" })).toThrow(
    expect.objectContaining({ code: "E_UNSAFE_URL" }),
  );
  expect(() => open({ WRIT_GIT_BASE: "file:///x", WRIT_GIT_PROTOCOLS: "https,ssh" })).toThrow(
    expect.objectContaining({ code: "E_UNSAFE_URL" }),
  );
});
