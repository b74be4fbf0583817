import { join } from "node:path";
import { makeFolder } from "../../platform/index.ts";
import { layOut } from "../analysis/layout.ts";
import type { Build } from "../builds/recorded.ts";
import type { Database } from "../library/database.ts";
import { edgesCsv, nodesCsv } from "./csv.ts";
import { gexf } from "./gexf.ts";
import { graphml } from "./graphml.ts";
import { networkPage, type PageNetwork, pageLimits, pageNetwork, readAbstracts } from "./html.ts";
import { type NetworkFile, openNetwork, openReader, weightOf } from "./network-file.ts";
import { pajek } from "./pajek.ts";
import type { NetworkFormat } from "./shape.ts";
import { writePieces } from "./text-file.ts";
import { type Places, vosviewerJson, vosviewerMap, vosviewerNetwork } from "./vosviewer.ts";

interface Writing {
  format: NetworkFormat;
  folder: string;
  onNetwork(name: string, done: number): void;
}

/**
 * Writes built networks in one format, each row by row from its Parquet files; pages share one file. What pages tell of
 * papers beyond that is read from the library.
 */
export async function writeNetworks(
  library: Database,
  builds: readonly (Build & { folder: string })[],
  { format, folder, onNetwork }: Writing,
): Promise<void> {
  const reader = await openReader(folder);
  const pages: PageNetwork[] = [];
  try {
    for (const [done, build] of builds.entries()) {
      onNetwork(build.name, done);
      const network = await openNetwork(build.folder, build, reader);
      if (format === "html") pages.push(await pageOf(library, network, build));
      else await writeOne(network, build, { format, folder });
    }
  } finally {
    await reader.close();
  }
  if (format === "html") await writePieces(join(folder, "network.html"), [networkPage(pages)]);
}

async function writeOne(
  network: NetworkFile,
  build: Build,
  { format, folder }: { format: Exclude<NetworkFormat, "html">; folder: string },
): Promise<void> {
  const { name } = network;
  const below = async (file: string) => {
    await makeFolder(join(folder, name));
    return join(folder, name, file);
  };
  switch (format) {
    case "graphml":
      return writePieces(join(folder, `${name}.graphml`), graphml(network));
    case "gexf":
      return writePieces(join(folder, `${name}.gexf`), gexf(network));
    case "pajek":
      return writePieces(join(folder, `${name}.net`), pajek(network, build.nodes));
    case "csv":
      await writePieces(await below("nodes.csv"), nodesCsv(network));
      return writePieces(await below("edges.csv"), edgesCsv(network));
    case "vosviewer": {
      const places = await placesOf(network, build);
      await writePieces(await below("map.txt"), vosviewerMap(network, places));
      await writePieces(await below("network.txt"), vosviewerNetwork(network));
      return writePieces(await below("vosviewer.json"), vosviewerJson(network, places));
    }
  }
}

/** Where nodes are drawn, for a network small enough to be laid out whole. */
async function placesOf(network: NetworkFile, { nodes, edges, spec }: Build): Promise<Places> {
  if (nodes > pageLimits.nodes || edges > pageLimits.edges) return undefined;
  const numbers = new Map<string, number>();
  for await (const { id } of network.nodes()) numbers.set(id as string, numbers.size);
  const list: [number, number, number][] = [];
  for await (const edge of network.edges())
    list.push([
      numbers.get(edge.source as string) ?? 0,
      numbers.get(edge.target as string) ?? 0,
      weightOf(edge),
    ]);
  return layOut(nodes, list, spec.seed);
}

function pageOf(
  library: Database,
  network: NetworkFile,
  { nodes, edges, spec, builtAt }: Build,
): Promise<PageNetwork> {
  const about = `Scope ${spec.scope}, built on ${builtAt.toISOString().slice(0, 10)}.`;
  return pageNetwork(network, { nodes, edges, seed: spec.seed, about }, (ids) => readAbstracts(library, ids));
}
