/** A count for people: 200,000,000. */
export function inWords(count: number): string {
  return count.toLocaleString("en-US");
}
