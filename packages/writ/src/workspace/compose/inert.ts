/** Characters that steer a reader or a program without being seen. */
const unseen = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/**
 * Makes text of others harmless inside generated text: one line, no control characters, no comment
 * delimiters (it cannot forge a marker) and no `@path` (which some clients replace by that file).
 */
export function inert(text: string, maxChars = 160): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, " ")
    .replace(unseen, "")
    .replace(/\s+/g, " ")
    .trim()
    .replaceAll("<!--", "<! --")
    .replaceAll("-->", "-- >")
    .replace(/(^|[\s(["'])@(?=\S)/g, "$1@ ");
  return cut(line, maxChars);
}

/** The first characters of a line, the last one an ellipsis when something is left out. */
export function cut(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const chars = Array.from(line);
  return chars.length <= maxChars
    ? line
    : `${chars
        .slice(0, maxChars - 1)
        .join("")
        .trimEnd()}…`;
}
