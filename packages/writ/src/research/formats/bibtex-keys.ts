import { personOf } from "./person.ts";

/** What a key is made of. */
export interface Keyed {
  title: string;
  year: number | null;
  authors: readonly string[];
}

/** Family name, year and first word of the title, in ASCII letters and digits. */
export function baseKey({ title, year, authors }: Keyed): string {
  const family = authors[0] === undefined ? "" : ascii(personOf(authors[0]).family);
  const word =
    title
      .split(/\s+/)
      .map(ascii)
      .find((one) => one !== "") ?? "";
  return `${family}${year ?? ""}${word}` || "paper";
}

function ascii(text: string): string {
  return text.normalize("NFKD").replaceAll(/[^A-Za-z0-9]/g, "");
}

/**
 * Keys for papers that come in the order of their ids: those that share one get a, b, … behind it. All base keys
 * must be counted first, so that the first of several already knows.
 */
export function createKeys(counts: ReadonlyMap<string, number>): (base: string) => string {
  const used = new Set<string>();
  const next = new Map<string, number>();
  return (base) => {
    if (counts.get(base) === 1 && !used.has(base)) {
      used.add(base);
      return base;
    }
    for (let at = next.get(base) ?? 0; ; at += 1) {
      const key = base + suffix(at);
      // A longer word may look like a shorter one with a letter.
      if (counts.has(key) || used.has(key)) continue;
      next.set(base, at + 1);
      used.add(key);
      return key;
    }
  };
}

/** a to z, then aa to az, and so on. */
function suffix(at: number): string {
  const letter = String.fromCharCode(97 + (at % 26));
  return at < 26 ? letter : suffix(Math.floor(at / 26) - 1) + letter;
}
