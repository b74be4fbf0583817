const parts = /\d+|\D+/g;

/** Orders names as people do: `a2` before `a10`. Depends on no locale. */
export function naturalOrder(a: string, b: string): number {
  const left = a.match(parts) ?? [];
  const right = b.match(parts) ?? [];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x = "", y = ""] = [left[i], right[i]];
    const numbers = /^\d/.test(x) && /^\d/.test(y);
    if (numbers && Number(x) !== Number(y)) return Number(x) - Number(y);
    if (x !== y) return x < y ? -1 : 1;
  }
  return left.length - right.length;
}
