import type { Row } from "../library/database.ts";
import { type Column, type NetworkFile, textOf } from "./network-file.ts";
import { xml } from "./xml.ts";

const head = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
`;

/** GraphML with typed keys; what is not known of a node is absent. */
export async function* graphml(network: NetworkFile): AsyncGenerator<string | Uint8Array> {
  const nodeColumns: readonly Column[] = [{ name: "label", type: "string" }, ...network.nodeColumns];
  yield head;
  for (const [of, columns] of [
    ["node", nodeColumns],
    ["edge", network.edgeColumns],
  ] as const) {
    for (const { name, type } of columns)
      yield `  <key id="${keyOf(of, name)}" for="${of}" attr.name="${name}" attr.type="${type}"/>\n`;
  }
  yield `  <graph id="${xml(network.name)}" edgedefault="${network.directed ? "directed" : "undirected"}">\n`;
  for await (const row of network.nodes())
    yield `    <node id="${xml(String(row.id as string))}">${data("node", row, nodeColumns)}</node>\n`;
  if (network.edgeLines) yield* network.edgeLines(edgeLine(network.edgeColumns));
  else
    for await (const row of network.edges())
      yield `    <edge source="${xml(row.source as string)}" target="${xml(row.target as string)}">${data("edge", row, network.edgeColumns)}</edge>\n`;
  yield "  </graph>\n</graphml>\n";
}

/** The same line as an expression of SQL; what is absent makes its part absent. */
function edgeLine(columns: readonly Column[]): string {
  const parts = columns.map(
    ({ name }) => `coalesce('<data key="${keyOf("edge", name)}">' || ${name} || '</data>', '')`,
  );
  return `'    <edge source="' || source || '" target="' || target || '">' || ${[...parts, "'</edge>'"].join(" || ")}`;
}

const keyOf = (of: "node" | "edge", name: string) => `${of === "node" ? "n" : "e"}_${name}`;

function data(of: "node" | "edge", row: Row, columns: readonly Column[]): string {
  return columns
    .map(({ name }) => {
      const text = textOf(row[name]);
      return text === undefined ? "" : `<data key="${keyOf(of, name)}">${xml(text)}</data>`;
    })
    .join("");
}
