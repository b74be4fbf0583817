import type { Row } from "../library/database.ts";
import { type Column, type NetworkFile, textOf, weightOf } from "./network-file.ts";
import { channelsOf, colourOf } from "./palette.ts";
import { xml } from "./xml.ts";

const types = { string: "string", int: "integer", double: "double", boolean: "boolean" } as const;

/** GEXF 1.3 with typed attributes, sizes by degree and colours by community. */
export async function* gexf(network: NetworkFile): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">
  <meta><creator>Writ</creator><description>${xml(network.name)}</description></meta>
  <graph defaultedgetype="${network.directed ? "directed" : "undirected"}" mode="static">
`;
  // The weight is GEXF's own; what else is known of an edge is an attribute.
  const edgeColumns = network.edgeColumns.filter(({ name }) => name !== "weight");
  yield attributes("node", network.nodeColumns);
  yield attributes("edge", edgeColumns);
  yield "    <nodes>\n";
  for await (const row of network.nodes()) yield node(row, network.nodeColumns);
  yield "    </nodes>\n    <edges>\n";
  let id = 0;
  for await (const row of network.edges()) {
    yield `      <edge id="${id}" source="${xml(row.source as string)}" target="${xml(row.target as string)}" weight="${weightOf(row)}">${values(row, edgeColumns)}</edge>\n`;
    id += 1;
  }
  yield "    </edges>\n  </graph>\n</gexf>\n";
}

function attributes(of: "node" | "edge", columns: readonly Column[]): string {
  const lines = columns.map(
    ({ name, type }) => `      <attribute id="${name}" title="${name}" type="${types[type]}"/>\n`,
  );
  return `    <attributes class="${of}">\n${lines.join("")}    </attributes>\n`;
}

function node(row: Row, columns: readonly Column[]): string {
  const [r, g, b] = channelsOf(colourOf((row.community ?? null) as number | null));
  const size = Math.round(10 * (4 + 2 * Math.sqrt(row.degree as number))) / 10;
  return `      <node id="${xml(row.id as string)}" label="${xml(row.label as string)}">${values(row, columns)}<viz:color r="${r}" g="${g}" b="${b}"/><viz:size value="${size}"/></node>\n`;
}

function values(row: Row, columns: readonly Column[]): string {
  const known = columns.flatMap(({ name }) => {
    const text = textOf(row[name]);
    return text === undefined ? [] : [`<attvalue for="${name}" value="${xml(text)}"/>`];
  });
  return known.length === 0 ? "" : `<attvalues>${known.join("")}</attvalues>`;
}
