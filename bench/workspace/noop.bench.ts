import { type Benchmark, interleave } from "../harness.ts";
import { bareNode, besideReference, eachRepository } from "../support/peers.ts";
import { countGit } from "../support/recorded.ts";
import { makeBed } from "../support/stacks.ts";
import { command, run, writ } from "../support/writ.ts";

/** A bootstrap that finds everything as it left it. */
export const benchmark: Benchmark = {
  name: "workspace/noop",
  about: "second bootstrap, 5 stacks x 40 files, 3 repositories",
  async run({ runs }) {
    using bed = makeBed({ stacks: 5, filesPerStack: 40, repos: 3 });
    const place = bed.workspace("noop");
    writ(["bootstrap"], place);
    const samples = await interleave(
      {
        writ: { work: () => run(process.execPath, command("bootstrap"), place) },
        git: { work: () => eachRepository(bed, place, ["status"]) },
        node: { work: () => bareNode(place) },
      },
      { runs },
    );
    const sum = samples.git.map((ms, i) => 1.5 * ms + (samples.node[i] ?? 0));
    return [
      {
        what: "noop",
        unit: "ms",
        writ: samples.writ,
        peer: { what: "1.5 x git status in each repository + node -e 0", samples: sum },
        target: { kind: "ratio", atMost: 1 },
      },
      {
        what: "noop, git processes",
        unit: "count",
        writ: [countGit(bed, place)],
        target: { kind: "value", atMost: 0 },
      },
      besideReference("noop"),
    ];
  },
};
