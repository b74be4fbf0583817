/** A field that a new entry of a table must have and lacks. */
interface Lacking {
  /** Of the entry, e.g. `/advisors/2`. */
  pointer: string;
  field: string;
}

type Entry = Readonly<Record<string, unknown>> & { id: string };
type List = "advisors" | "providers" | "vendors" | "models";
type Table = { replace: boolean } & Partial<Record<List, readonly { id: string }[]>>;

/** What an entry says when no shipped one says it before. */
const needed: Readonly<Record<List, readonly string[]>> = {
  advisors: ["title", "transport", "adapter"],
  providers: ["title"],
  vendors: ["title"],
  models: ["vendor", "native_id"],
};

/**
 * The first field that an entry of a workspace's table lacks. An entry that changes a shipped one gives only what
 * differs; of entries with one id the first must be whole, and the others are findings of their own.
 */
export function lackingField(own: Table, shipped: Table): Lacking | undefined {
  for (const list of Object.keys(needed) as List[]) {
    const known = new Set(own.replace ? [] : shipped[list]?.map(({ id }) => id));
    for (const [i, entry] of (own[list] ?? []).entries()) {
      const field = known.has(entry.id)
        ? undefined
        : needed[list].find((name) => (entry as Entry)[name] === undefined);
      if (field !== undefined) return { pointer: `/${list}/${i}`, field: `${list}.${i}.${field}` };
      known.add(entry.id);
    }
  }
  return undefined;
}
