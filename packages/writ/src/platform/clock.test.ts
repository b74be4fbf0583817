import { expect, test } from "vitest";
import { formatInstant, systemClock } from "./clock.ts";

test("CT-16: an instant is RFC 3339 in UTC", () => {
  expect(formatInstant(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(formatInstant(systemClock.now())).toMatch(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});
