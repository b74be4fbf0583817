/** A whole number as people read it: 12,288. By hand, since the tables of all languages take long to load. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
