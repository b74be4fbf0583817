/**
 * Does for many what may fail for each: a group that fails is halved until what fails is alone. `all` gives one
 * result an item.
 */
export function halving<T, R>(
  items: readonly T[],
  work: { all: (some: readonly T[]) => R[]; alone: (item: T, error: unknown) => R },
): R[] {
  const [only] = items;
  if (only === undefined) return [];
  try {
    return work.all(items);
  } catch (error) {
    if (items.length === 1) return [work.alone(only, error)];
    const middle = Math.ceil(items.length / 2);
    return [...halving(items.slice(0, middle), work), ...halving(items.slice(middle), work)];
  }
}
