import { join } from "node:path";
import { type Benchmark, interleave, type Side } from "./harness.ts";
import { eachRepository } from "./support/peers.ts";
import { countGit } from "./support/recorded.ts";
import { type Bed, makeBed } from "./support/stacks.ts";
import { beside, command, type Place, run, writ } from "./support/writ.ts";

const stacks = 12;
// What a request to a forge takes from most places.
const delayMs = 50;
const server = join(import.meta.dirname, "support/git-server.ts");

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
    using lone = makeBed({ stacks, filesPerStack: 40 });
    await using far = await beside(
      [server, lone.host.folder, String(delayMs)],
      { cwd: lone.folder, env: lone.env },
      "http://",
    );
    const fewer = { runs: Math.max(5, Math.ceil(runs / 3)), warmUps: 1 };
    const network = await interleave(coldSides(lone, far.said.trim()), fewer);
    const disk = await interleave(coldSides(lone, lone.host.url), fewer);
    const inTurn = `${stacks} x git clone, one after the other`;
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
        what: `first bootstrap of ${stacks} stacks, HTTP with ${delayMs} ms a request`,
        unit: "ms",
        writ: network.writ,
        peer: { what: inTurn, samples: network.git },
        target: { kind: "ratio", atMost: 0.5 },
      },
      {
        what: `first bootstrap of ${stacks} stacks, file://`,
        unit: "ms",
        writ: disk.writ,
        peer: { what: inTurn, samples: disk.git },
      },
    ];
  },
};

let turn = 0;

/** A first bootstrap on an empty cache, and the same repositories cloned one after the other from the same place. */
function coldSides(bed: Bed, base: string): Record<"writ" | "git", Side> {
  let clones = "";
  let place: Place | undefined;
  return {
    writ: {
      prepare: () => {
        place = bed.workspace(`cold-${++turn}`, { cache: `cache-${turn}`, base });
      },
      work: () => place && run(process.execPath, command("bootstrap"), place),
    },
    git: {
      prepare: () => {
        clones = join(bed.folder, `clones-${++turn}`);
      },
      work: () => {
        for (const { name } of bed.stacks) {
          const clone = ["clone", "--quiet", `${base}/${name}.git`, join(clones, name)];
          run("git", clone, { cwd: bed.folder, env: bed.env });
        }
      },
    },
  };
}
