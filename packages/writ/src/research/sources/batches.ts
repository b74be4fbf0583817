/**
 * Cuts a list into groups of at most `most` members whose texts, as they stand in an address, take at most
 * `bytes`. Sorted first, without repeats, so that the same wish makes the same requests.
 */
export function batches(
  values: readonly string[],
  {
    most,
    bytes = Number.POSITIVE_INFINITY,
    separator = "|",
  }: { most: number; bytes?: number; separator?: string },
): string[][] {
  const groups: string[][] = [];
  let group: string[] = [];
  let size = 0;
  const between = encodeURIComponent(separator).length;
  for (const value of sorted(values)) {
    const length = encodeURIComponent(value).length + between;
    if (group.length > 0 && (group.length === most || size + length > bytes)) {
      groups.push(group);
      group = [];
      size = 0;
    }
    group.push(value);
    size += length;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** In code-unit order, each once. */
function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
