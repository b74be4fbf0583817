import type { Positions } from "../analysis/layout.ts";
import type { Row } from "../library/database.ts";
import { type NetworkFile, weightOf } from "./network-file.ts";
import { Numbers, oneLine } from "./pajek.ts";

/** Where nodes are drawn, by their order in the file; without it VOSviewer lays the network out itself. */
export type Places = Positions | undefined;

interface Item {
  id: number;
  label: string;
  x?: number;
  y?: number;
  /** From 1. */
  cluster?: number;
  weights: Record<string, number>;
  scores?: Record<string, number>;
}

async function* items(network: NetworkFile, places: Places, numbers?: Numbers): AsyncGenerator<Item> {
  let at = 0;
  for await (const row of network.nodes()) {
    numbers?.add(row.id as string);
    yield itemOf(row, at, places);
    at += 1;
  }
}

function itemOf(row: Row, at: number, places: Places): Item {
  const { community, year } = row;
  return {
    id: at + 1,
    label: oneLine(row.label as string),
    ...(places && { x: rounded(places.x[at]), y: rounded(places.y[at]) }),
    ...(typeof community === "number" && { cluster: community + 1 }),
    weights: { Links: row.degree as number, "Total link strength": row.strength as number },
    ...(typeof year === "number" && { scores: { Year: year } }),
  };
}

const rounded = (value = 0): number => Math.round(value * 1e4) / 1e4;

/** map.txt: an item a line. */
export async function* vosviewerMap(network: NetworkFile, places: Places): AsyncGenerator<string> {
  const dated = network.nodeColumns.some(({ name }) => name === "year");
  const names = [
    "id",
    "label",
    ...(places ? ["x", "y"] : []),
    "cluster",
    "weight<Links>",
    "weight<Total link strength>",
  ];
  yield line([...names, ...(dated ? ["score<Year>"] : [])]);
  for await (const { id, label, x, y, cluster, weights, scores } of items(network, places))
    yield line([
      id,
      label,
      ...(places ? [x, y] : []),
      cluster,
      weights.Links,
      weights["Total link strength"],
      ...(dated ? [scores?.Year] : []),
    ]);
}

/** network.txt: `id1 id2 strength`. */
export async function* vosviewerNetwork(network: NetworkFile): AsyncGenerator<string> {
  const numbers = new Numbers();
  for await (const { id } of network.nodes()) numbers.add(id as string);
  for await (const edge of network.edges())
    yield line([numbers.of(edge.source as string), numbers.of(edge.target as string), weightOf(edge)]);
}

/** vosviewer.json: both in one. */
export async function* vosviewerJson(network: NetworkFile, places: Places): AsyncGenerator<string> {
  const numbers = new Numbers();
  yield '{"network":{"items":[';
  let between = "\n";
  for await (const item of items(network, places, numbers)) {
    yield between + JSON.stringify(item);
    between = ",\n";
  }
  yield '\n],"links":[';
  between = "\n";
  for await (const edge of network.edges()) {
    const [source, target] = [numbers.of(edge.source as string), numbers.of(edge.target as string)];
    yield `${between}${JSON.stringify({ source_id: source, target_id: target, strength: weightOf(edge) })}`;
    between = ",\n";
  }
  yield "\n]}}\n";
}

function line(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map((cell) => cell ?? "").join("\t")}\n`;
}
