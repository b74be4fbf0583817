import { describe, expect, test } from "vitest";
import type { Row } from "../library/database.ts";
import { csvLine, edgesCsv, harmless, nodesCsv } from "./csv.ts";
import { gexf } from "./gexf.ts";
import { graphml } from "./graphml.ts";
import type { NetworkFile } from "./network-file.ts";
import { pajek } from "./pajek.ts";
import { vosviewerJson, vosviewerNetwork } from "./vosviewer.ts";
import { xml } from "./xml.ts";

const awkward = 'A "title" & <b>\u0000, with\ttabs\nand lines';

/** A chain of nodes that tells how many edges were taken from it. */
function chainOf(length: number): NetworkFile & { taken: number } {
  const id = (at: number) => `n${String(at).padStart(6, "0")}`;
  const network = {
    taken: 0,
    name: "chain",
    kind: "bibliographic_coupling" as const,
    directed: false,
    nodeColumns: [
      { name: "degree", type: "int" as const },
      { name: "year", type: "int" as const },
    ],
    edgeColumns: [{ name: "weight", type: "int" as const }],
    async *nodes(): AsyncGenerator<Row> {
      for (let at = 0; at <= length; at += 1)
        yield {
          id: id(at),
          label: at === 0 ? awkward : "=1+1",
          degree: 1,
          strength: 1,
          year: at === 0 ? null : 2020,
        };
    },
    async *edges(): AsyncGenerator<Row> {
      for (let at = 0; at < length; at += 1) {
        network.taken += 1;
        yield { source: id(at), target: id(at + 1), weight: 1 };
      }
    },
  };
  return network;
}

async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += typeof piece === "string" ? piece : Buffer.from(piece).toString();
  return text;
}

describe("writers of networks", () => {
  test.each([
    ["graphml", graphml],
    ["gexf", gexf],
    ["csv", edgesCsv],
    ["pajek", (network: NetworkFile) => pajek(network, 1001)],
    ["vosviewer", vosviewerNetwork],
    ["vosviewer.json", (network: NetworkFile) => vosviewerJson(network, undefined)],
  ])("RL-151: %s takes an edge only when the one before is written", async (_name, write) => {
    const network = chainOf(1000);
    let after = 0;
    for await (const piece of write(network)) {
      if (network.taken > 0) after += 1;
      expect(network.taken).toBeLessThanOrEqual(after + 1);
      expect(piece.length).toBeLessThan(5000);
    }
    expect(network.taken).toBe(1000);
  });

  test("RL-6: what a title holds is escaped in each form", async () => {
    const one = chainOf(1);
    const name = xml(awkward);
    expect(name).toBe("A &quot;title&quot; &amp; &lt;b&gt;\ufffd, with&#9;tabs&#10;and lines");
    expect(await textOf(graphml(one))).toContain(`>${name}</data>`);
    expect(await textOf(gexf(one))).toContain(`label="${name}"`);
    expect(await textOf(pajek(one, 2))).toContain('1 "A ""title"" & <b> , with tabs and lines"\n');
    const table = await textOf(nodesCsv(one));
    expect(table).toContain('"A ""title"" & <b>\u0000, with\ttabs\nand lines"');
    expect(table).toContain("n000001,'=1+1,");
    expect(JSON.parse(await textOf(vosviewerJson(one, undefined)))).toHaveProperty(
      "network.items[0].weights.Links",
      1,
    );
  });

  test("RL-7: what is not known is absent in graphs and an empty cell in tables", async () => {
    const one = chainOf(1);
    expect((await textOf(graphml(one))).match(/key="n_year"/g)).toHaveLength(1);
    expect((await textOf(gexf(one))).match(/for="year"/g)).toHaveLength(1);
    expect((await textOf(nodesCsv(one))).split("\n").at(-2)).toBe("n000001,'=1+1,1,2020");
    expect(csvLine(["a", undefined, "b,c"])).toBe('a,,"b,c"\n');
    expect([harmless("-1"), harmless("a=b"), harmless(undefined)]).toEqual(["'-1", "a=b", undefined]);
  });
});
