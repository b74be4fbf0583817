// Widths in hundredths of the letters' size, after the wider ones of the fonts that stand in for Arial.
const narrow = new Set("iljtfrI.,:;'|!()[]/- ");
const wide = new Set("mwMWGOQ@%");
const fullWidth =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3ffff}]/u;

/** About how wide a text is, in the unit of `size`. */
export function widthOf(text: string, size: number): number {
  let hundredths = 0;
  for (const letter of text) hundredths += widthOfLetter(letter);
  return (hundredths * size) / 100;
}

function widthOfLetter(letter: string): number {
  if (narrow.has(letter)) return 38;
  if (wide.has(letter)) return 98;
  if (fullWidth.test(letter)) return 104;
  return letter >= "A" && letter <= "Z" ? 74 : 62;
}

/** Cuts a text into lines no wider than `width`, between words where that is possible; "n = 1" is one word. */
export function wrap(text: string, width: number, size: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<!=) (?!=)/).flatMap((one) => pieces(one, width, size))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer, size) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A word that is too long for a line, in parts that are not. */
function pieces(word: string, width: number, size: number): string[] {
  if (widthOf(word, size) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  for (const letter of word) {
    if (part !== "" && widthOf(part + letter, size) > width) {
      parts.push(part);
      part = "";
    }
    part += letter;
  }
  return [...parts, part];
}
