import { createHash } from "node:crypto";
import { layOut } from "../analysis/layout.ts";
import type { Database, Row } from "../library/database.ts";
import { kinds } from "../networks/kinds.ts";
import { inWords } from "../networks/numbers.ts";
import { type NetworkFile, weightOf } from "./network-file.ts";
import { css } from "./page/css.ts";
import { html } from "./page/html.ts";
import { script } from "./page/script.ts";
import { communityColours, restColour } from "./palette.ts";

/** How much of a network one page shows: the best linked nodes, and the strongest edges between them. */
export const pageLimits = { nodes: 5000, edges: 50_000 } as const;

/** A network as the page holds it. */
export interface PageNetwork {
  name: string;
  about: string;
  isPaper: boolean;
  colours: readonly string[];
  rest: string;
  nodes: Record<string, unknown>[];
  edges: [source: number, target: number, weight: number][];
  left: { nodes: number; edges: number };
}

/** Picks and lays out what one page shows of a network. `abstractsOf` is asked for papers that are shown. */
export async function pageNetwork(
  network: NetworkFile,
  facts: { nodes: number; edges: number; seed: number; about: string },
  abstractsOf: (ids: string[]) => Promise<ReadonlyMap<string, { title: string; abstract: string | null }>>,
): Promise<PageNetwork> {
  const rows = await strongest(network.nodes(), pageLimits.nodes, (row) => row.strength as number);
  rows.sort((a, b) => ((a.id as string) < (b.id as string) ? -1 : 1));
  const numbers = new Map(rows.map((row, at) => [row.id as string, at]));
  const shown = await strongest(within(network.edges(), numbers), pageLimits.edges, weightOf);
  const edges = shown.map((edge): [number, number, number] => [
    numbers.get(edge.source as string) ?? 0,
    numbers.get(edge.target as string) ?? 0,
    weightOf(edge),
  ]);
  const places = layOut(rows.length, edges, facts.seed);
  const isPaper = kinds[network.kind].node === "paper";
  const texts = isPaper ? await abstractsOf([...numbers.keys()]) : new Map<string, never>();
  return {
    name: network.name,
    about: `${network.name}: ${inWords(facts.nodes)} nodes and ${inWords(facts.edges)} edges. ${facts.about}`,
    isPaper,
    colours: communityColours,
    rest: restColour,
    nodes: rows.map((row, at) => ({
      ...nodeOf(row),
      ...present(texts.get(row.id as string) ?? {}),
      x: rounded(places.x[at]),
      y: rounded(places.y[at]),
    })),
    edges,
    left: { nodes: facts.nodes - rows.length, edges: facts.edges - edges.length },
  };
}

const rounded = (value = 0): number => Math.round(value * 100) / 100;

function nodeOf(row: Row): Record<string, unknown> {
  return present({
    id: row.id,
    label: row.label,
    degree: row.degree,
    strength: row.strength,
    community: row.community,
    year: row.year,
    status: row.curation_status,
    seed: row.is_seed || undefined,
    authors: row.authors,
    venue: row.venue,
    keywords: row.keywords,
    url: row.url,
    cited: row.cited_by_count,
    local: row.local_citations,
  });
}

/** Without what is not known. */
function present(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
}

async function* within(edges: AsyncIterable<Row>, numbers: ReadonlyMap<string, number>): AsyncGenerator<Row> {
  for await (const edge of edges) {
    if (numbers.has(edge.source as string) && numbers.has(edge.target as string)) yield edge;
  }
}

/** The rows of greatest weight, the earlier of equals; twice as many as asked for are held at most. */
async function strongest(
  rows: AsyncIterable<Row>,
  most: number,
  weigh: (row: Row) => number,
): Promise<Row[]> {
  let held: { row: Row; at: number; weight: number }[] = [];
  const cut = () => {
    held = held.toSorted((a, b) => b.weight - a.weight || a.at - b.at).slice(0, most);
  };
  let at = 0;
  for await (const row of rows) {
    held.push({ row, at, weight: weigh(row) });
    at += 1;
    if (held.length >= 2 * most) cut();
  }
  if (held.length > most) cut();
  return held.toSorted((a, b) => a.at - b.at).map(({ row }) => row);
}

/** One file that holds everything and asks for nothing. */
export function networkPage(networks: readonly PageNetwork[]): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(css)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  // Inside a script element only "<" could end it or begin another.
  const data = JSON.stringify({ networks }).replaceAll("<", "\\u003c");
  const [only] = networks;
  const title = networks.length === 1 && only ? only.name.replaceAll("_", " ") : "Networks of the library";
  return html({ title, policy, css, data, script });
}

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** Titles and abstracts of papers, from the library. */
export async function readAbstracts(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, { title: string; abstract: string | null }>> {
  const found = new Map<string, { title: string; abstract: string | null }>();
  const rows = db.stream<{ id: string; title: string; abstract: string | null }>(
    "SELECT id, title, abstract FROM papers WHERE id IN (SELECT unnest($1))",
    [[...ids]],
  );
  for await (const chunk of rows)
    for (const { id, title, abstract } of chunk) found.set(id, { title, abstract });
  return found;
}
