import { type Benchmark, interleave } from "../harness.ts";
import { besideReference, eachRepository } from "../support/peers.ts";
import { makeBed } from "../support/stacks.ts";
import { command, run, writ } from "../support/writ.ts";

/** Where a large workspace stands. */
export const benchmark: Benchmark = {
  name: "workspace/status",
  about: "10,000 managed files, 10 repositories",
  async run({ runs }) {
    using bed = makeBed({ stacks: 50, filesPerStack: 200, repos: 10 });
    const place = bed.workspace("large");
    writ(["bootstrap"], place);
    const samples = await interleave(
      {
        writ: { work: () => run(process.execPath, command("status"), place) },
        git: { work: () => eachRepository(bed, place, ["status", "--porcelain"]) },
      },
      { runs: Math.max(10, runs) },
    );
    const peer = { what: "git status --porcelain in each", samples: samples.git };
    return [
      { what: "status", unit: "ms", writ: samples.writ, peer, target: { kind: "ratio", atMost: 1.5 } },
      besideReference("status"),
    ];
  },
};
