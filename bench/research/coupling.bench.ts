import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark, Finding } from "../harness.ts";
import { measureWrit } from "../support/measured.ts";
import { besideB2g, runB2g } from "../support/reference-b2g.ts";
import type { Bed } from "./bed.ts";
import { coupledLibrary, runBareJoin, runBuild, type Shape } from "./coupled.ts";

interface Load {
  name: string;
  shape: Shape;
  flags?: string[];
  minWeight?: number;
  mostMs: number;
  mostMb: number;
  /** What the answer must hold, or the figure means nothing. */
  edges: [least: number, most: number];
  /** Whether the reference makes the same network; the larger ones it does not finish. */
  reference?: true;
  /** Whether the bare join is run too; it has no measures to reckon, so it stands beside pairs only. */
  beside?: true;
}

const loads: Load[] = [
  {
    name: "B3: 1,000 papers, 260,000 edges, all measures",
    shape: { papers: 1000, references: 27, works: 1000 },
    mostMs: 5000,
    mostMb: 512,
    edges: [230_000, 290_000],
    reference: true,
  },
  {
    name: "B4: 3,000 papers, 2.3 million edges, all measures",
    shape: { papers: 3000, references: 46, works: 3000 },
    mostMs: 40_000,
    mostMb: 2048,
    edges: [2_000_000, 2_500_000],
  },
  {
    name: "B11: 10,000 papers x 40 references, weight 2 and more",
    shape: { papers: 10_000, references: 40, works: 50_000 },
    flags: ["--min-weight", "2"],
    minWeight: 2,
    mostMs: 10_000,
    mostMb: 1024,
    edges: [1, 100_000],
  },
  {
    name: "B5: 100,000 papers x 30 references, 15 million edges",
    shape: { papers: 100_000, references: 30, works: 300_000 },
    mostMs: 60_000,
    mostMb: 2048,
    edges: [14_000_000, 15_500_000],
    beside: true,
  },
];

/** Coupling, from a library to files, in the built program. */
export const benchmark: Benchmark = {
  name: "research/coupling",
  about: "writ research build, against the bare join in DuckDB",
  async run({ runs }) {
    const findings: Finding[] = [];
    for (const load of loads) {
      using bed = await coupledLibrary(load.shape);
      // The large ones take a minute a run: two are enough to see a trend, and the ratio stands beside.
      findings.push(...(await measure(bed, load, Math.min(runs, load.beside ? 2 : 3))));
    }
    using skewed = await coupledLibrary({ papers: 100_000, references: 30, works: 300_000, skew: 3 });
    findings.push(...(await refusal(skewed)));
    return findings;
  },
};

async function measure(bed: Bed, load: Load, runs: number): Promise<Finding[]> {
  const { name, flags = [], minWeight, mostMs, mostMb, edges, beside, reference } = load;
  const [writ, peaks, bare]: [number[], number[], number[]] = [[], [], []];
  for (let run = 0; run < runs; run += 1) {
    const { ms, peakMb, envelope } = await runBuild(flags, bed);
    const [network] = (envelope.data as { networks: { edges: number }[] }).networks;
    if (!network || network.edges < edges[0] || network.edges > edges[1])
      throw new Error(`${name}: ${network?.edges} edges are not what was asked for`);
    writ.push(ms);
    peaks.push(peakMb);
    if (beside) bare.push((await runBareJoin(bed, minWeight)).ms);
  }
  return [
    { what: name, unit: "ms", writ, target: { kind: "value", atMost: mostMs } },
    ...(beside
      ? [
          {
            what: `${name}, beside SQL`,
            unit: "ms" as const,
            writ,
            peer: { what: "self-join of the same table in the same DuckDB, into a file", samples: bare },
            target: { kind: "ratio" as const, atMost: 2 },
          },
        ]
      : []),
    ...(reference ? [await besideB2g(name, writ, () => buildOfB2g(bed))] : []),
    { what: `${name}, memory`, unit: "MB", writ: peaks, target: { kind: "value", atMost: mostMb } },
  ];
}

/** The same network of the same papers in the reference, which gets them from a snapshot. */
async function buildOfB2g(bed: Bed): Promise<number> {
  await measureWrit(["research", "snapshot", "create"], bed);
  const [folder] = readdirSync(join(bed.cwd, ".writ/research/snapshots"));
  const corpus = join(bed.cwd, ".writ/research/snapshots", folder ?? "", "corpus.parquet");
  const place = { cwd: join(bed.cwd, "b2g"), env: bed.env };
  runB2g(["init", place.cwd], { ...place, cwd: bed.cwd });
  runB2g(["snapshot", "restore", "--from-corpus", corpus], place);
  writeFileSync(join(place.cwd, "networks.yml"), "networks:\n  - kind: bibliographic_coupling\n");
  return runB2g(["build", "--spec", "networks.yml"], place);
}

/** B6: too many pairs are refused at once with the cap that fits, and made with it. */
async function refusal(bed: Bed): Promise<Finding[]> {
  const refused = await runBuild([], bed);
  const [skipped] = (refused.envelope.data as { skipped_networks: { fix_command?: string }[] })
    .skipped_networks;
  const cap = /--hub-cap (\d+)/.exec(skipped?.fix_command ?? "")?.[1];
  if (cap === undefined) throw new Error("B6: 975 million pairs were not refused with a cap that fits");
  const capped = await runBuild(["--hub-cap", cap], bed);
  return [
    {
      what: "B6: 975 million pairs refused",
      unit: "ms",
      writ: [refused.ms],
      target: { kind: "value", atMost: 5000 },
    },
    {
      what: `B6: made with --hub-cap ${cap}`,
      unit: "ms",
      writ: [capped.ms],
      target: { kind: "value", atMost: 180_000 },
    },
    { what: "B6: memory", unit: "MB", writ: [capped.peakMb], target: { kind: "value", atMost: 2048 } },
  ];
}
