import fc from "fast-check";
import { expect, test } from "vitest";
import { isDay, oneLine } from "./texts.ts";

test("RL-6: a text of plain letters is tidied as any other: a space from elsewhere makes no difference", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const line = oneLine(`\u00a0${text}`);
      expect(oneLine(text)).toBe(line);
      expect(oneLine(line)).toBe(line);
      expect(line).not.toMatch(/^ | {2}| $|[\u0000-\u001f]/);
    }),
  );
});

test("RL-66: a day is one that the calendar has", () => {
  const part = fc.integer({ min: -1, max: 33 });
  const year = fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(0, 4, 1900, 2000, 2100));
  fc.assert(
    fc.property(year, part, part, (of, month, day) => {
      const date = new Date(0);
      date.setUTCFullYear(of, month - 1, day);
      const stays = date.getUTCFullYear() === of && date.getUTCMonth() === month - 1;
      expect(isDay(of, month, day)).toBe(stays && date.getUTCDate() === day);
    }),
  );
});
