/** The number of single-letter edits between two words (Levenshtein 1966), rows kept two at a time. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substituted, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The known word nearest to a mistyped one, or undefined when none is near enough to be meant. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  // A cap on length keeps a megabyte of "word" from costing a megabyte squared.
  const typed = word.slice(0, 100).toLowerCase();
  let best: { name: string; far: number } | undefined;
  for (const name of known) {
    const far = distance(typed, name.toLowerCase());
    if (!best || far < best.far) best = { name, far };
  }
  return best && best.far <= Math.max(2, Math.ceil(typed.length * 0.4)) ? best.name : undefined;
}
