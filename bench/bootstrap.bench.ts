import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, interleave } from "./harness.ts";
import { eachRepository } from "./support/peers.ts";
import { countGit } from "./support/recorded.ts";
import { type Bed, makeBed } from "./support/stacks.ts";
import { command, type Place, run, writ } from "./support/writ.ts";

const stacks = 12;

/** The two bootstraps that people wait for: the first of all, and the one that finds nothing to do. */
export const benchmark: Benchmark = {
  name: "bootstrap",
  about: `${stacks} stacks: the first bootstrap, and one with nothing to do`,
  async run({ runs }) {
    using bed = makeBed({ stacks, filesPerStack: 40, repos: 3 });
    const place = bed.workspace("again");
    writ(["bootstrap"], place);
    const quiet = await interleave(
      {
        writ: { work: () => run(process.execPath, command("bootstrap"), place) },
        git: { work: () => eachRepository(bed, place, ["rev-parse", "HEAD"]) },
      },
      { runs },
    );
    using cold = coldSides(bed);
    const first = await interleave(cold.sides, { runs: Math.max(5, Math.ceil(runs / 3)), warmUps: 1 });
    return [
      {
        what: "second bootstrap, above git rev-parse",
        unit: "ms",
        writ: quiet.writ.map((ms, i) => ms - (quiet.git[i] ?? 0)),
        peer: { what: "git rev-parse in each repository", samples: quiet.git },
        target: { kind: "value", atMost: 150 },
      },
      {
        what: "git processes of the second",
        unit: "count",
        writ: [countGit(bed, place)],
        target: { kind: "value", atMost: 0 },
      },
      {
        what: `first bootstrap of ${stacks} stacks`,
        unit: "ms",
        writ: first.writ,
        peer: { what: `${stacks} x git clone, one after the other`, samples: first.git },
        target: { kind: "ratio", atMost: 0.5 },
      },
    ];
  },
};

function coldSides(bed: Bed) {
  const lone = makeBed({ stacks, filesPerStack: 40 });
  let place: Place | undefined;
  let turn = 0;
  const clones = join(bed.folder, "clones");
  return {
    sides: {
      writ: {
        prepare: () => {
          place = lone.workspace(`cold-${++turn}`, { cache: `cache-${turn}` });
        },
        work: () => place && run(process.execPath, command("bootstrap"), place),
      },
      git: {
        prepare: () => rmSync(clones, { recursive: true, force: true }),
        work: () => {
          for (const { url, name } of lone.stacks) {
            run("git", ["clone", "--quiet", url, join(clones, name)], { cwd: lone.folder, env: lone.env });
          }
        },
      },
    },
    [Symbol.dispose]: () => lone[Symbol.dispose](),
  };
}
