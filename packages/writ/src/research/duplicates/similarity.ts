/**
 * How alike two texts are: `token_sort_ratio`, by way of the longest common subsequence, found with one machine word
 * for 32 letters at a time (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004).
 */

/** The words of a normalised text in order, joined by spaces; hyphens part words. */
export function sortedTokens(text: string): string {
  return tokensOf(text).toSorted().join(" ");
}

export function tokensOf(text: string): string[] {
  return text.split(/[\s-]+/).filter((token) => token !== "");
}

/** 0 to 100: twice the letters in common, as a share of all; of texts whose words are sorted. */
export function ratio(a: string, b: string): number {
  const letters = a.length + b.length;
  return letters === 0 ? 100 : (200 * commonLength(a, b)) / letters;
}

const asciiMasks = new Int32Array(128);

/** The length of the longest common subsequence of UTF-16 units. */
export function commonLength(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length <= 32 ? ofOneWord(short, long) : ofWords(short, long);
}

function ofOneWord(short: string, long: string): number {
  for (let at = 0; at < short.length; at += 1) {
    const code = short.charCodeAt(at);
    if (code >= 128) {
      clearMasks(short, at);
      return ofWords(short, long);
    }
    asciiMasks[code] = (asciiMasks[code] ?? 0) | (1 << at);
  }
  let unmatched = -1;
  for (let at = 0; at < long.length; at += 1) {
    const code = long.charCodeAt(at);
    const mask = code < 128 ? (asciiMasks[code] ?? 0) : 0;
    unmatched = (unmatched + (unmatched & mask)) | 0 | (unmatched & ~mask);
  }
  clearMasks(short, short.length);
  const within = short.length === 32 ? -1 : (1 << short.length) - 1;
  return bits(~unmatched & within);
}

function clearMasks(text: string, end: number): void {
  for (let at = 0; at < end; at += 1) asciiMasks[text.charCodeAt(at)] = 0;
}

function ofWords(short: string, long: string): number {
  const words = Math.ceil(short.length / 32);
  const masks = new Map<number, Int32Array>();
  for (let at = 0; at < short.length; at += 1) {
    const code = short.charCodeAt(at);
    let mask = masks.get(code);
    if (!mask) masks.set(code, (mask = new Int32Array(words)));
    mask[at >> 5] = (mask[at >> 5] ?? 0) | (1 << (at & 31));
  }
  const unmatched = new Int32Array(words).fill(-1);
  for (let at = 0; at < long.length; at += 1) {
    const mask = masks.get(long.charCodeAt(at));
    if (!mask) continue;
    let carry = 0;
    for (let word = 0; word < words; word += 1) {
      const rest = unmatched[word] ?? 0;
      const found = rest & (mask[word] ?? 0);
      const sum = (rest >>> 0) + (found >>> 0) + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      unmatched[word] = sum | 0 | (rest & ~(mask[word] ?? 0));
    }
  }
  let common = 0;
  for (let word = 0; word < words; word += 1) {
    const letters = Math.min(32, short.length - word * 32);
    common += bits(~(unmatched[word] ?? 0) & (letters === 32 ? -1 : (1 << letters) - 1));
  }
  return common;
}

function bits(word: number): number {
  let left = word - ((word >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
