import type { Database } from "../library/database.ts";
import type { NetworkKind, Scope } from "../model.ts";
import type { Hub } from "./incidence.ts";
import { type KeyOf, kinds } from "./kinds.ts";
import { inWords } from "./numbers.ts";
import { waysOut } from "./ways-out.ts";

/** Why a network has no edge, with the counts behind it, and the command that helps. */
export interface Empty {
  reason: string;
  fix_command?: string;
}

export interface EmptyQuestion {
  kind: NetworkKind;
  /** Of the build; all without one. */
  scope?: Scope;
  /** Papers looked at. */
  papers: number;
  minWeight: number;
  /** What the cap on items has left out. */
  hub?: Hub;
}

const words: Readonly<Record<KeyOf, string>> = {
  reference: "references",
  citer: "citers",
  author: "an author id",
  institution: "an institution id",
  keyword: "a keyword",
  country: "a country",
};

/**
 * Whether `net_links` gives any pair, for the kind: coupling and co-citation when a key occurs in two papers, the
 * others when a paper has two keys, direct citation when a key is a paper of the selection.
 */
export async function hasPair(db: Database, kind: NetworkKind): Promise<boolean> {
  const { node, directed } = kinds[kind];
  const shared = (item: string) =>
    `SELECT ${item} FROM net_links GROUP BY ${item} HAVING count(*) > 1 LIMIT 1`;
  const cited = `SELECT 1 FROM net_links JOIN net_keys ON net_keys.n = key JOIN net_papers p ON p.id = net_keys.id
    WHERE p.n <> paper LIMIT 1`;
  const found = await db.row(directed ? cited : shared(node === "paper" ? "key" : "paper"));
  return found !== undefined;
}

/** What a cap left out, for people. */
export function leftOut({ items, pairs }: Hub): string {
  return `${inWords(items)} ${items === 1 ? "item" : "items"} and ${inWords(pairs)} pairs`;
}

/** The command that builds a network of this kind, or the usual ones, with another flag. */
export function buildAgain(
  { kind, scope }: { kind: NetworkKind | undefined; scope: Scope },
  flag: string,
): string {
  const which = kind === undefined ? "" : ` --networks ${kind}`;
  return `writ research build${which}${scope === "all" ? "" : ` --scope ${scope}`} ${flag}`;
}

/** The kind where a build that is not told would not make it. */
const named = (kind: NetworkKind) => (kinds[kind].byDefault ? undefined : kind);

/** Says why a network is empty; `net_papers` and `net_links` must be its own. */
export async function emptyReason(db: Database, question: EmptyQuestion): Promise<Empty> {
  const { kind, scope = "all", papers, minWeight, hub } = question;
  if (await hasPair(db, kind)) {
    const lower = Math.ceil(minWeight) - 1;
    return {
      reason: `0 edges with weight >= ${minWeight}${hub && hub.items > 0 ? `; the hub cap left out ${leftOut(hub)}` : ""}`,
      ...(lower >= 1 && { fix_command: buildAgain({ kind: named(kind), scope }, `--min-weight ${lower}`) }),
    };
  }
  const { key, node, directed } = kinds[kind];
  const found = await db.row<{ n: number }>("SELECT count(DISTINCT paper) AS n FROM net_links");
  const holders = found?.n ?? 0;
  const fix = await fixFor(db, key, holders);
  return { reason: pairless(), ...(fix && { fix_command: fix }) };

  function pairless(): string {
    const have = `${holders} of ${papers} papers have ${words[key]}`;
    if (holders === 0) return have;
    if (directed) return `${have}, but none is a paper here`;
    return node === "paper" ? `${have}, but none is shared by two` : `${have}, none has two`;
  }
}

async function fixFor(db: Database, key: KeyOf, holders: number): Promise<string | undefined> {
  if (holders > 0) return undefined;
  if (key === "citer") return (await waysOut(db)).citers;
  return key === "reference" ? (await waysOut(db)).references : undefined;
}
