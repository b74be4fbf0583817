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

/** How often letters occur in a text, those that are alike in their last five bits together. */
export function letterCounts(text: string): Uint16Array {
  const counts = new Uint16Array(32);
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at) & 31;
    counts[letter] = (counts[letter] ?? 0) + 1;
  }
  return counts;
}

/** The most that {@link ratio} can be: letters in common, in whatever order. Far cheaper, and mostly enough. */
export function ratioBound(a: Uint16Array, b: Uint16Array): number {
  let common = 0;
  let letters = 0;
  for (let at = 0; at < 32; at += 1) {
    const [one, other] = [a[at] ?? 0, b[at] ?? 0];
    common += one < other ? one : other;
    letters += one + other;
  }
  return letters === 0 ? 100 : (200 * common) / letters;
}

// Where each ASCII letter stands in the shorter text, as bits; rows of a letter are cleared after use.
const mostWords = 8;
const asciiMasks = new Int32Array(128 * mostWords);
const unmatchedWords = new Int32Array(mostWords);

/** The length of the longest common subsequence of UTF-16 units. */
export function commonLength(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const words = Math.ceil(short.length / 32);
  if (words > mostWords || !isAscii(short)) return ofAnyText(short, long);
  return words <= 1 ? ofOneWord(short, long) : ofWords(short, long, words);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= 128) return false;
  return true;
}

function ofOneWord(short: string, long: string): number {
  for (let at = 0; at < short.length; at += 1) setBit(asciiMasks, short.charCodeAt(at) * mostWords, at);
  let unmatched = -1;
  for (let at = 0; at < long.length; at += 1) {
    const code = long.charCodeAt(at);
    const mask = code < 128 ? (asciiMasks[code * mostWords] ?? 0) : 0;
    unmatched = (unmatched + (unmatched & mask)) | 0 | (unmatched & ~mask);
  }
  for (let at = 0; at < short.length; at += 1) asciiMasks[short.charCodeAt(at) * mostWords] = 0;
  return matchedBits(unmatched, short.length);
}

function ofWords(short: string, long: string, words: number): number {
  for (let at = 0; at < short.length; at += 1) setBit(asciiMasks, short.charCodeAt(at) * mostWords, at);
  unmatchedWords.fill(-1, 0, words);
  for (let at = 0; at < long.length; at += 1) {
    const code = long.charCodeAt(at);
    if (code < 128) step(unmatchedWords, { masks: asciiMasks, row: code * mostWords, words });
  }
  for (let at = 0; at < short.length; at += 1) {
    const row = short.charCodeAt(at) * mostWords;
    asciiMasks.fill(0, row, row + words);
  }
  return matchedIn(unmatchedWords, short.length);
}

/** The same for texts of any letters and lengths. */
function ofAnyText(short: string, long: string): number {
  const words = Math.ceil(short.length / 32);
  const masks = new Map<number, Int32Array>();
  for (let at = 0; at < short.length; at += 1) {
    const code = short.charCodeAt(at);
    let mask = masks.get(code);
    if (!mask) masks.set(code, (mask = new Int32Array(words)));
    setBit(mask, 0, at);
  }
  const unmatched = new Int32Array(words).fill(-1);
  for (let at = 0; at < long.length; at += 1) {
    const mask = masks.get(long.charCodeAt(at));
    if (mask) step(unmatched, { masks: mask, row: 0, words });
  }
  return matchedIn(unmatched, short.length);
}

function setBit(masks: Int32Array, row: number, at: number): void {
  masks[row + (at >> 5)] = (masks[row + (at >> 5)] ?? 0) | (1 << (at & 31));
}

/** One letter of the longer text; what overflows a word goes to the next. */
function step(unmatched: Int32Array, letter: { masks: Int32Array; row: number; words: number }): void {
  const { masks, row, words } = letter;
  let carry = 0;
  for (let word = 0; word < words; word += 1) {
    const rest = unmatched[word] ?? 0;
    const mask = masks[row + word] ?? 0;
    const sum = (rest >>> 0) + ((rest & mask) >>> 0) + carry;
    carry = sum > 0xffffffff ? 1 : 0;
    unmatched[word] = sum | 0 | (rest & ~mask);
  }
}

function matchedIn(unmatched: Int32Array, letters: number): number {
  let matched = 0;
  for (let from = 0; from < letters; from += 32) {
    matched += matchedBits(unmatched[from >> 5] ?? 0, Math.min(32, letters - from));
  }
  return matched;
}

function matchedBits(unmatched: number, letters: number): number {
  return bits(~unmatched & (letters === 32 ? -1 : (1 << letters) - 1));
}

function bits(word: number): number {
  let left = word - ((word >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
