import fc from "fast-check";
import { expect, test } from "vitest";
import { createLog, oneLine, type LogOptions } from "./log.ts";

function levels(level?: LogOptions["level"]): string {
  let text = "";
  const log = createLog({ write: (line) => void (text += line), level });
  log.debug("d");
  log.info("i");
  log.warn("w");
  log.error("e");
  return text;
}

test("CT-15: each line has its level in front; debug only when asked, only errors when quiet", () => {
  expect(levels()).toBe("[INFO] i\n[WARN] w\n[ERROR] e\n");
  expect(levels("debug")).toBe("[DEBUG] d\n[INFO] i\n[WARN] w\n[ERROR] e\n");
  expect(levels("error")).toBe("[ERROR] e\n");
});

test("CT-15: any text is one line, without control characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      let written = "";
      createLog({ write: (line) => void (written += line) }).info(text);
      expect(written).toMatch(/^\[INFO\] [^\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]*\n$/u);
    }),
  );
  expect(oneLine("a\nb\r\u001b[31m")).toBe("a\\nb\\r\\u001b[31m");
});

test("CT-12: a secret does not reach the log", () => {
  expect(oneLine("fetch https://ana:pw@host/x")).toBe("fetch https://[redacted:url-userinfo]@host/x");
});
