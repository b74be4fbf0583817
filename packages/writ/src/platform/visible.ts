// Control characters but for tab, and what turns the direction of text or hides in it.
const steering =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** A text as one line that cannot drive a terminal or pass for another: such characters are shown as escapes. */
export function visibleLine(text: string): string {
  return text.replace(steering, escaped);
}

/** The same for a text of several lines. */
export function visible(text: string): string {
  return text.replace(steering, (character, at: number) => {
    if (character === "\n" || (character === "\r" && text[at + 1] === "\n")) return character;
    return escaped(character);
  });
}

/** Every text in a value, keys included, made visible; the value itself is not touched. */
export function visibleIn<T>(value: T): T {
  return shown(value) as T;
}

function shown(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(shown);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [visibleLine(key), shown(inner)]));
}

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
}
