const commands: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};
const letters = new Map(Object.entries(commands).map(([letter, command]) => [command, letter]));

/** Text for a field, in which no letter is a command and no two make another. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[\\{}~^]/g, (letter) => commands[letter] ?? letter)
    .replaceAll(/[&%$#_]/g, "\\$&")
    .replaceAll(/([-`'])(?=\1)/g, "$1{}");
}

/** What {@link escaped} was given. */
export function unescaped(field: string): string {
  return field.replaceAll(
    /\\text[a-z]+\{\}|\\[&%$#_]|\{\}/g,
    (mark) => letters.get(mark) ?? mark.replaceAll(/[\\{}]/g, ""),
  );
}
