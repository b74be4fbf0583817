import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, type Finding, interleave } from "../harness.ts";
import { besideReference } from "../support/peers.ts";
import { type Bed, makeBed } from "../support/stacks.ts";
import { command, type Place, run, running } from "../support/writ.ts";

/** The first bootstrap of all, on an empty cache. */
export const benchmark: Benchmark = {
  name: "workspace/cold",
  about: "first bootstrap, 1, 5 and 20 stacks, empty cache",
  async run({ runs }) {
    const findings: Finding[] = [];
    for (const stacks of [1, 5, 20]) {
      using bed = makeBed({ stacks, filesPerStack: 40 });
      findings.push(...(await measure(bed, stacks, runs)));
    }
    return findings;
  },
};

async function measure(bed: Bed, stacks: number, runs: number): Promise<Finding[]> {
  let place: Place | undefined;
  let turn = 0;
  const clones = join(bed.folder, "clones");
  const clear = () => rmSync(clones, { recursive: true, force: true });
  const here = { cwd: bed.folder, env: bed.env };
  const clone = (i: number) => [
    "clone",
    "--quiet",
    "--bare",
    bed.stacks[i]?.url ?? "",
    join(clones, String(i)),
  ];
  const samples = await interleave(
    {
      writ: {
        prepare: () => {
          place = bed.workspace(`cold-${++turn}`, { cache: `cache-${turn}` });
        },
        work: () => place && run(process.execPath, command("bootstrap"), place),
      },
      one: { prepare: clear, work: () => bed.stacks.forEach((_, i) => run("git", clone(i), here)) },
      eight: { prepare: clear, work: () => inParallel(stacks, 8, (i) => running("git", clone(i), here)) },
    },
    { runs: Math.max(10, Math.ceil(runs / 2)), warmUps: 1 },
  );
  return [
    {
      what: `cold-${stacks}`,
      unit: "ms",
      writ: samples.writ,
      peer: { what: "git clone --bare, 8 in parallel", samples: samples.eight },
      target: { kind: "ratio", atMost: 1.3 },
    },
    {
      what: `cold-${stacks}`,
      unit: "ms",
      writ: samples.writ,
      peer: { what: "git clone --bare, one by one", samples: samples.one },
    },
    besideReference(`cold-${stacks}`),
  ];
}

async function inParallel(count: number, lanes: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
