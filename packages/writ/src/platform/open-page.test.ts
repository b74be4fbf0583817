import { expect, test } from "vitest";
import { browserCommand } from "./open-page.ts";

test("RN-8: a page is opened where there is a desktop, and nowhere else", () => {
  expect(browserCommand({ env: {}, platform: "darwin" })).toEqual(["open"]);
  expect(browserCommand({ env: {}, platform: "win32" })).toEqual(["cmd", "/c", "start", ""]);
  expect(browserCommand({ env: { DISPLAY: ":0" }, platform: "linux" })).toEqual(["xdg-open"]);
  expect(browserCommand({ env: { WAYLAND_DISPLAY: "wayland-0" }, platform: "linux" })).toEqual(["xdg-open"]);
  expect(browserCommand({ env: {}, platform: "linux" })).toBeUndefined();
});
