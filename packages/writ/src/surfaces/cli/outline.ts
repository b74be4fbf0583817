/** Lists longer than this are counted, not printed: a person scrolls, a program reads the JSON. */
const longest = 20;

/** The default rendering of data for a person: an indented outline, in the data's own order. */
export function outline(data: Record<string, unknown>): string {
  return lines(data, "").join("\n");
}

function lines(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return list(value, indent);
  if (value !== null && typeof value === "object") {
    return Object.entries(value).flatMap(([key, inner]) => entry(key, inner, indent));
  }
  return [`${indent}${scalar(value)}`];
}

function entry(key: string, value: unknown, indent: string): string[] {
  if (Array.isArray(value) && value.length === 0) return [`${indent}${key}: none`];
  if (value !== null && typeof value === "object")
    return [`${indent}${key}:`, ...lines(value, `${indent}  `)];
  return [`${indent}${key}: ${scalar(value)}`];
}

function list(values: unknown[], indent: string): string[] {
  const shown = values.slice(0, longest).flatMap((value) => {
    if (value === null || typeof value !== "object") return [`${indent}- ${scalar(value)}`];
    const [first = "", ...rest] = lines(value, `${indent}  `);
    return [`${indent}- ${first.trimStart()}`, ...rest];
  });
  return values.length > longest ? [...shown, `${indent}… and ${values.length - longest} more`] : shown;
}

function scalar(value: unknown): string {
  if (value === null) return "none";
  if (value === true) return "yes";
  if (value === false) return "no";
  return String(value);
}
