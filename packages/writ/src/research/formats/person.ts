/** The parts of a name, as formats that tell them apart want it. */
export interface PersonName {
  family: string;
  given?: string;
}

/**
 * The parts of a name as a library holds it: `Family, Given`, or `Given Family` with the particles before the
 * family. A name of one word is the family's, or an organisation's.
 */
export function personOf(name: string): PersonName {
  const comma = name.indexOf(",");
  if (comma !== -1) {
    const given = name.slice(comma + 1).trim();
    const family = name.slice(0, comma).trim();
    return given === "" || family === "" ? { family: name } : { family, given };
  }
  const words = name.split(" ");
  let first = words.length - 1;
  while (first > 1 && /^\p{Ll}/u.test(words[first - 1] ?? "")) first -= 1;
  if (first < 1) return { family: name };
  return { family: words.slice(first).join(" "), given: words.slice(0, first).join(" ") };
}

/** `Family, Given`, or the family alone. */
export function inverted({ family, given }: PersonName): string {
  return given === undefined ? family : `${family}, ${given}`;
}
