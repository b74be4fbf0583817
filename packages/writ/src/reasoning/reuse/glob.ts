/** Whether a path matches a pattern of `*` (within one folder) and `**` (across folders). */
export function matchesGlob(pattern: string, path: string): boolean {
  const plain = path.replace(/^\.\//, "").replace(/^file:/, "");
  return matchParts(pattern.split("/"), plain.split("/"));
}

function matchParts(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === "**") {
    if (rest.length === 0) return true;
    return path.some((_, i) => matchParts(rest, path.slice(i)));
  }
  const [part, ...others] = path;
  return part !== undefined && matchPart(first, part) && matchParts(rest, others);
}

// Greedy with one way back, so that a hostile pattern costs no more than the product of both lengths.
function matchPart(pattern: string, text: string): boolean {
  let [p, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
