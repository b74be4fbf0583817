import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, interleave } from "../harness.ts";
import { besideReference } from "../support/peers.ts";
import { makeBed } from "../support/stacks.ts";
import { command, type Place, run, writ } from "../support/writ.ts";

/** A new folder on a machine that has seen every repository before. */
export const benchmark: Benchmark = {
  name: "workspace/warm",
  about: "new folder, warm cache, 5 stacks x 40 files and 3 product repositories",
  async run({ runs }) {
    using bed = makeBed({ stacks: 5, filesPerStack: 40, repos: 3 });
    writ(["bootstrap"], bed.workspace("first"));
    let place: Place | undefined;
    let turn = 0;
    const clones = join(bed.folder, "clones");
    const samples = await interleave(
      {
        writ: {
          prepare: () => {
            place = bed.workspace(`warm-${++turn}`);
          },
          work: () => place && run(process.execPath, command("bootstrap"), place),
        },
        git: {
          prepare: () => rmSync(clones, { recursive: true, force: true }),
          work: () => {
            for (const { folder, name } of [...bed.stacks, ...bed.repos]) {
              run("git", ["clone", "--quiet", "--local", folder, join(clones, name)], {
                cwd: bed.folder,
                env: bed.env,
              });
            }
          },
        },
      },
      { runs: Math.max(10, runs), warmUps: 1 },
    );
    const peer = { what: "git clone --local of each", samples: samples.git };
    return [
      { what: "warm", unit: "ms", writ: samples.writ, peer, target: { kind: "ratio", atMost: 1.5 } },
      besideReference("warm"),
    ];
  },
};
