import type { Database } from "../library/database.ts";
import { scopeSql } from "../library/scope.ts";
import type { Transition } from "../library/states.ts";
import type { Preview } from "../networks/preview.ts";

interface Readiness {
  ready: boolean;
  reason: string;
  /** The command that has to come first. */
  first?: string;
}

/** What the library has to say of it. */
export interface Ready {
  /** Where the next step is to chain: the ways on, and how many seeds there are where the source knows none of them. */
  chaining?: { ways: string[]; unknown: number };
  /** Where the next step is to build and every network would be empty: whether looking up DOIs may help. */
  resolvable?: boolean;
}

/** Asks the library what {@link readinessOf} needs. */
export async function readyOf(
  db: Database,
  { next, preview }: { next: Transition; preview: readonly Preview[] },
): Promise<Ready> {
  if (next === "chain") return { chaining: await chaining(db) };
  if (next === "build" && isEmpty(preview)) return { resolvable: await canResolve(db) };
  return {};
}

const isEmpty = (preview: readonly Preview[]) => preview.every((one) => one.would_be_empty);

/** Whether the next best action would bring anything, and if not, what would help. */
export function readinessOf(
  ready: Ready,
  of: { next: Transition; preview: readonly Preview[]; command: string | undefined },
): Readiness {
  const { next, preview, command } = of;
  if (command === undefined)
    return { ready: false, reason: `${next} needs an equation or a file to start from.` };
  if (next === "build" && isEmpty(preview)) {
    const why = preview.find((one) => one.reason !== undefined)?.reason ?? "the library is empty";
    return helped(`Every network would be empty: ${why}.`, ready.resolvable ?? false);
  }
  if (ready.chaining) {
    const { ways, unknown } = ready.chaining;
    const [first = command] = ways;
    if (unknown > 0) {
      const why = `None of ${unknown} seeds has an id at a source.`;
      return first === resolve
        ? helped(why, true)
        : { ready: false, reason: `${why} Networks can do without: ${first}`, first };
    }
  }
  return { ready: true, reason: `Ready: ${command}` };
}

const resolve = "writ research seed --resolve";
const build = "writ research build";

/**
 * What comes after a seeding, best first: seeds are followed where the source knows any of them; else they are looked
 * up, where any has a DOI; networks can be built of any papers.
 */
export async function afterSeeding(db: Database): Promise<string[]> {
  return (await chaining(db)).ways;
}

/** The ways on from seeds, and how many seeds there are where the source knows none of them. */
async function chaining(db: Database): Promise<{ ways: string[]; unknown: number }> {
  const seeds = await db.row<{ all: number; known: number }>(
    `SELECT count(*) AS all, count(source_id) AS known FROM papers WHERE ${scopeSql("seeds")}`,
  );
  const { all = 0, known = 0 } = seeds ?? {};
  if (all === 0 || known > 0) return { ways: ["writ research chain", build], unknown: 0 };
  return { ways: [...((await canResolve(db)) ? [resolve] : []), build], unknown: all };
}

function helped(why: string, resolvable: boolean): Readiness {
  if (!resolvable) return { ready: false, reason: why };
  return { ready: false, reason: `${why} Look up their DOIs: ${resolve}`, first: resolve };
}

async function canResolve(db: Database): Promise<boolean> {
  const any = await db.row(
    "SELECT 1 AS one FROM papers WHERE active AND doi IS NOT NULL AND source_id IS NULL LIMIT 1",
  );
  return any !== undefined;
}
