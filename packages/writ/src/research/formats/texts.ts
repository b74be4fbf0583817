import { isPlain, normaliseText } from "../library/identity.ts";

const unplain = /[^\S ]| {2}|[\u0000-\u001f\u007f-\u009f\ufeff]/;

/** One line of text: control characters and white space as single spaces, half characters replaced. */
export function oneLine(text: string): string {
  if (isPlain(text)) return text;
  const line = unplain.test(text) ? text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f\ufeff]+/g, " ") : text;
  return line.trim().toWellFormed();
}

/** The same, and null when nothing is left. */
export function orNull(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  return oneLine(text) || null;
}

/** The same text in memory of its own: a part of a longer text would keep all of that. */
export function ownCopy(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

/** The first year in a date of any form: four digits together. */
export function yearOf(date: string | null | undefined): number | null {
  const found = /(?<!\d)\d{4}(?!\d)/.exec(date ?? "") ?? /\d{4}/.exec(date ?? "");
  return found ? Number(found[0]) : null;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The number of a month by its name or number; undefined for anything else. */
export function monthOf(word: string | number | null | undefined): number | undefined {
  const text = String(word ?? "")
    .trim()
    .toLowerCase();
  const number = /^\d{1,2}$/.test(text) ? Number(text) : months.indexOf(text.slice(0, 3)) + 1;
  return number >= 1 && number <= 12 ? number : undefined;
}

/** YYYY-MM-DD when the three make a day of the calendar, else null. */
export function dayOf(
  year: number | null,
  month: number | undefined,
  day: number | undefined,
): string | null {
  if (year === null || month === undefined || day === undefined || !isDay(year, month, day)) return null;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Whether the calendar has that day, in a year of four digits. */
export function isDay(year: number, month: number, day: number): boolean {
  if (year < 0 || year > 9999 || month < 1 || month > 12 || day < 1) return false;
  if (month === 2) return day <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28);
  return day <= ([4, 6, 9, 11].includes(month) ? 30 : 31);
}

/** The day in `2020/05/01`, `2020-05-01` or `2020 May 1`, or null. */
export function dayIn(date: string | null | undefined): string | null {
  const found = /^\s*(\d{4})[-/ ]([A-Za-z]{3,9}|\d{1,2})[-/ ](\d{1,2})(?:\D|$)/.exec(date ?? "");
  return found ? dayOf(Number(found[1]), monthOf(found[2]), Number(found[3])) : null;
}

/** Keywords or other short texts, cut at `marks`; what is empty or repeated is left out. */
export function cutList(text: string | readonly string[], marks: RegExp): string[] {
  const parts = typeof text === "string" ? [text] : text;
  return distinct(
    parts
      .flatMap((part) => part.split(marks))
      .map(oneLine)
      .filter((part) => part !== ""),
  );
}

/** Each text once, where it first appears; case and accents make no difference. */
export function distinct(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => {
    const known = normaliseText(text);
    if (seen.has(known)) return false;
    seen.add(known);
    return true;
  });
}

/** `Family, Given`, from the parts of a name; a name of one part is that part. */
export function nameOf(parts: {
  family?: string | null;
  given?: string | null;
  particle?: string | null;
  suffix?: string | null;
}): string {
  const family = [parts.particle, parts.family]
    .map((part) => oneLine(part ?? ""))
    .filter(Boolean)
    .join(" ");
  const given = [parts.given, parts.suffix]
    .map((part) => oneLine(part ?? ""))
    .filter(Boolean)
    .join(" ");
  return [family, given].filter(Boolean).join(", ");
}
