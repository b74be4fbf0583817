/** Disjoint sets over 0..n-1, each known by its smallest member. */
export class Forest {
  readonly #parent: Int32Array;

  constructor(size: number) {
    this.#parent = Int32Array.from({ length: size }, (_, at) => at);
  }

  find(of: number): number {
    const parent = this.#parent;
    let root = of;
    while (parent[root] !== root) root = parent[root] ?? root;
    for (let at = of; at !== root; ) {
      const next = parent[at] ?? root;
      parent[at] = root;
      at = next;
    }
    return root;
  }

  join(one: number, other: number): void {
    const a = this.find(one);
    const b = this.find(other);
    if (a < b) this.#parent[b] = a;
    else this.#parent[a] = b;
  }

  /** Makes each of them alone again; they must be whole sets. */
  release(members: readonly number[]): void {
    for (const one of members) this.#parent[one] = one;
  }

  /** Each member of a set of several, with its set. */
  *members(): Generator<[number, number]> {
    const { length } = this.#parent;
    const isShared = new Uint8Array(length);
    for (let at = 0; at < length; at += 1) if (this.find(at) !== at) isShared[this.find(at)] = 1;
    for (let at = 0; at < length; at += 1) if (isShared[this.find(at)] === 1) yield [at, this.find(at)];
  }
}

/** A record of a set in which several DOIs occur. */
export interface Conflicting {
  rid: number;
  grp: number;
  doi: string | null;
  /** Its other identifiers, each with its engine. */
  ids: readonly string[] | null;
}

/**
 * Takes sets apart in which several DOIs occur: one part a DOI. A record without one goes to the DOI it reaches in
 * the fewest steps over shared identifiers, among equals to the smallest. Independent of the order of the records.
 */
export function splitByDoi(records: readonly Conflicting[]): number[][] {
  const sharing = new Map<string, Conflicting[]>();
  for (const one of records) for (const id of one.ids ?? []) pushTo(sharing, id, one);
  const doiOf = new Map<number, string>();
  for (const one of records) if (one.doi !== null) doiOf.set(one.rid, one.doi);
  let edge = records.filter(({ doi }) => doi !== null);
  while (edge.length > 0) {
    const reached = new Map<Conflicting, string>();
    for (const one of edge) {
      const doi = doiOf.get(one.rid) ?? "";
      for (const id of one.ids ?? [])
        for (const other of sharing.get(id) ?? []) {
          if (doiOf.has(other.rid)) continue;
          const best = reached.get(other);
          if (best === undefined || doi < best) reached.set(other, doi);
        }
    }
    // All that share these are reached now: nobody needs to look there again.
    for (const one of edge) for (const id of one.ids ?? []) sharing.delete(id);
    for (const [one, doi] of reached) doiOf.set(one.rid, doi);
    edge = [...reached.keys()];
  }
  const parts = new Map<string, number[]>();
  for (const { rid, grp } of records) {
    pushTo(parts, `${grp}|${doiOf.get(rid) ?? ""}`, rid);
  }
  return [...parts.values()];
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
