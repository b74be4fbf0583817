import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, type Finding, interleave } from "../harness.ts";
import { measureDuckDb } from "../support/bare-duckdb.ts";
import { measureWrit } from "../support/measured.ts";
import { writeLines } from "../support/openalex-lines.ts";
import { type Bed, makeBed } from "./bed.ts";
import { settle, touch } from "./touched.ts";

/** WRIT_BENCH_PAPERS makes it smaller, for a first look; the targets are those of a million. */
const papers = Number(process.env.WRIT_BENCH_PAPERS ?? 1_000_000);
const named = papers.toLocaleString("en");

/** B7, B8 and B9: a million works come in, are looked at, and are written out. */
export const benchmark: Benchmark = {
  name: "research/million",
  about: `a library of ${named} papers: import, reading, snapshot; a quarter of an hour and more, 20 GB of disk`,
  long: true,
  async *run({ runs }) {
    using bed = makeBed();
    yield await importing(bed);
    yield await reading(bed, Math.min(runs, 5));
    yield await snapshot(bed);
  },
};

async function importing(bed: Bed): Promise<Finding[]> {
  const file = join(bed.cwd, "works.jsonl");
  await writeLines(file, papers);
  const { ms, cpuMs, peakMb, envelope } = await measureWrit(["research", "seed", "--from-file", file], bed);
  const { total_papers: total } = envelope.data as { total_papers: number };
  if (total !== papers) throw new Error(`B7: ${total} papers are not what was imported`);
  const bare = await measureDuckDb(bed, {
    statements: [
      `CREATE TABLE works AS SELECT * FROM read_json('${file}', format = 'newline_delimited',
        map_inference_threshold = 100)`,
      "CHECKPOINT",
    ],
  });
  const size = `${Math.round(statSync(file).size / 1e6)} MB`;
  for (const name of [file, join(bed.cwd, "bare.duckdb")]) rmSync(name);
  return [
    {
      what: `B7: import of ${named} OpenAlex lines, ${size}`,
      unit: "ms",
      writ: [ms],
      peer: { what: "read_json of the same file into one table of DuckDB", samples: [bare.ms] },
      target: { kind: "value", atMost: 600_000 },
    },
    {
      what: "B7: processor time",
      unit: "ms",
      writ: [cpuMs],
      peer: { what: "the same of DuckDB alone", samples: [bare.cpuMs] },
    },
    { what: "B7: memory", unit: "MB", writ: [peakMb], target: { kind: "value", atMost: 2048 } },
  ];
}

async function reading(bed: Bed, runs: number): Promise<Finding[]> {
  const title = "raminlen";
  const list = `SELECT id, title, year, curation_status, is_seed FROM papers
    WHERE active AND contains(strip_accents(lower(title)), '${title}') ORDER BY id`;
  const timed = (...words: string[]) => ({
    work: async () => (await measureWrit(["research", ...words], bed)).ms,
  });
  const samples = await interleave(
    {
      first: { prepare: () => touch(bed), ...timed("status") },
      status: { prepare: () => settle(bed), ...timed("status") },
      stats: timed("read", "stats"),
      list: timed("read", "list", "--query", title),
      show: timed("read", "show", "--id", `W${10_000_000 + Math.floor(papers / 2)}`),
      bare: { work: async () => (await measureDuckDb(bed, { file: bed.library, statements: [list] })).ms },
    },
    { runs, warmUps: 1 },
  );
  const most = { first: 1000, status: 1000, stats: 500, list: 1000, show: 300 };
  const names: Partial<Record<string, string>> = {
    first: "the first status after a change",
    status: "status, the library as at the last one",
  };
  return [
    ...Object.entries(most).map(
      ([name, atMost]): Finding => ({
        what: `B8: ${names[name] ?? `read ${name}`}, ${named} papers`,
        unit: "ms",
        writ: samples[name as keyof typeof most],
        target: { kind: "value", atMost },
      }),
    ),
    {
      what: "B8: read list, beside SQL",
      unit: "ms",
      writ: samples.list,
      peer: { what: "the same question to the same file in DuckDB", samples: samples.bare },
      target: { kind: "ratio", atMost: 1.5 },
    },
  ];
}

async function snapshot(bed: Bed): Promise<Finding[]> {
  const { ms, peakMb } = await measureWrit(["research", "snapshot", "create"], bed);
  return [
    {
      what: `B9: snapshot of ${named} papers`,
      unit: "ms",
      writ: [ms],
      target: { kind: "value", atMost: 300_000 },
    },
    { what: "B9: memory", unit: "MB", writ: [peakMb], target: { kind: "value", atMost: 2048 } },
  ];
}
