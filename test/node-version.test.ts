import { expect, test } from "vitest";

// Without the pinned Node of node_modules/.bin everything would run, in silence, on the system's.
test("the tests run on Node 22.18 or later", () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  expect(major * 1000 + minor).toBeGreaterThanOrEqual(22_018);
});
