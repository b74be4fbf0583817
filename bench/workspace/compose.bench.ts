import { join } from "node:path";
import { type Benchmark, interleave } from "../harness.ts";
import { measureNode } from "../support/measured.ts";
import { besideReference } from "../support/peers.ts";
import { makeBed } from "../support/stacks.ts";
import { command, type Place, run, writ } from "../support/writ.ts";

/** Many files at once, then one of them changed; and what it costs in memory. */
export const benchmark: Benchmark = {
  name: "workspace/compose",
  about: "50 stacks x 200 files, all new; then one file changed",
  async run({ runs }) {
    using bed = makeBed({ stacks: 50, filesPerStack: 200 });
    const changing = bed.workspace("changing");
    writ(["bootstrap"], changing);
    let place: Place | undefined;
    let turn = 0;
    let copies = 0;
    // Nothing is deleted between runs: ext4 without a journal is slow to make files for minutes after many were deleted.
    const fresh = () => {
      place = bed.workspace(`new-${++turn}`);
      // What `cp` has left to be written is not for Writ, which flushes, to pay.
      run("sync", [], place);
    };
    const samples = await interleave(
      {
        writ: { prepare: fresh, work: () => place && run(process.execPath, command("bootstrap"), place) },
        cp: {
          work: () =>
            run("cp", ["-r", join(changing.cwd, ".agents"), join(bed.folder, `copy-${++copies}`)], changing),
        },
        one: {
          prepare: () =>
            void bed.stacks[7]?.commit({ files: { "workflows/s7-f0003.md": `# Turn ${turn}\n` } }),
          work: () => run(process.execPath, command("sync"), changing),
        },
      },
      { runs: Math.max(10, Math.ceil(runs / 2)), warmUps: 1 },
    );
    fresh();
    const memory = place ? [(await measureNode(command("bootstrap"), place)).peakMb] : [];
    const whole = { what: "the full run", samples: samples.writ };
    return [
      {
        what: "compose, all new",
        unit: "ms",
        writ: samples.writ,
        peer: { what: "cp -r of the same files", samples: samples.cp },
        target: { kind: "ratio", atMost: 3 },
      },
      {
        what: "compose, one changed",
        unit: "ms",
        writ: samples.one,
        peer: whole,
        target: { kind: "ratio", atMost: 0.15 },
      },
      { what: "memory, peak of compose", unit: "MB", writ: memory, target: { kind: "value", atMost: 300 } },
      besideReference("compose"),
    ];
  },
};
