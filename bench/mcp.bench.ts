import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, type Finding, interleave } from "./harness.ts";
import { speakMcp } from "./support/rpc.ts";
import { makeBed } from "./support/stacks.ts";
import { launcher, writ } from "./support/writ.ts";

// One message takes less than a clock tells apart on a busy machine.
const asked = 50;
const call = { name: "capability_call", arguments: { capability: "schema" } };

/** What a model waits for above the protocol itself: the tool list, and one call that reads. */
export const benchmark: Benchmark = {
  name: "mcp",
  about: "the MCP server against the bare SDK giving the same answers, on standard input and output",
  async run({ runs }) {
    using bed = makeBed({ stacks: 1, filesPerStack: 5 });
    const place = bed.workspace("served");
    writ(["bootstrap"], place);
    await using server = await speakMcp([launcher, "mcp"], place);
    const { tools } = await server.ask("tools/list");
    const same = join(bed.folder, "same.json");
    writeFileSync(same, JSON.stringify({ tools, result: await server.ask("tools/call", call) }));
    await using bare = await speakMcp([join(import.meta.dirname, "support/bare-mcp.ts"), same], place);
    const findings: Finding[] = [];
    for (const [method, params] of [
      ["tools/list", {}],
      ["tools/call", call],
    ] as const) {
      const many = (rpc: typeof server) => async () => {
        const startedAt = performance.now();
        for (let i = 0; i < asked; i++) await rpc.ask(method, params);
        return (performance.now() - startedAt) / asked;
      };
      const samples = await interleave(
        { writ: { work: many(server) }, bare: { work: many(bare) } },
        { runs },
      );
      findings.push({
        what: `${method}, one of ${asked}`,
        unit: "ms",
        writ: samples.writ,
        peer: { what: "bare SDK", samples: samples.bare },
        target: { kind: "ratio", atMost: 1.5 },
      });
    }
    return findings;
  },
};
