import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "../../packages/writ/src/contract/index.ts";
import { Database, type Value } from "../../packages/writ/src/research/library/database.ts";
import { createTables } from "../../packages/writ/src/research/library/schema.ts";
import { launcher } from "../support/writ.ts";

/** Papers with references drawn by chance; the same numbers each time. */
export interface Shape {
  papers: number;
  references: number;
  /** How many works references are drawn from. */
  works: number;
  /** 1 draws all alike, 3 draws few of them most of the time. */
  skew?: number;
}

export interface CoupledLibrary extends Disposable {
  cwd: string;
  env: Record<string, string>;
  /** The library's file. */
  file: string;
}

/** A workspace whose library holds such papers, and nothing else. */
export async function coupledLibrary(shape: Shape): Promise<CoupledLibrary> {
  const cwd = mkdtempSync(join(tmpdir(), "writ-bench-research-"));
  const folder = join(cwd, ".writ/research");
  for (const name of ["pages", "networks", "snapshots", "exports"])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(cwd, "workspace.yml"), "name: bench\nschema: writ/1\n");
  const file = join(folder, "library.duckdb");
  const db = await Database.open({ file });
  await createTables(db, new Date(0));
  const columns = ["id", "source_id", "title", "year", "is_seed", "curation_status", "references_id"];
  await db.append("papers", [...columns, "first_run", "last_run", "row_hash", "active"], papersOf(shape));
  await db.run("INSERT INTO external_ids SELECT 'openalex', source_id, id FROM papers; CHECKPOINT");
  db.close();
  return {
    cwd,
    file,
    env: { PATH: process.env.PATH ?? "", HOME: cwd, WRIT_CACHE_DIR: join(cwd, ".cache") },
    [Symbol.dispose]: () => rmSync(cwd, { recursive: true, force: true }),
  };
}

function* papersOf({ papers, references, works, skew = 1 }: Shape): Generator<Value[]> {
  let state = 42;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let at = 0; at < papers; at += 1) {
    const cited = new Set<string>();
    for (let k = 0; k < references; k += 1) cited.add(`W${9_000_000 + Math.floor(works * next() ** skew)}`);
    const id = `src:${at.toString(16).padStart(16, "0")}`;
    yield [
      id,
      `W${at}`,
      `Paper ${at}`,
      1990 + (at % 35),
      true,
      "candidate",
      [...cited],
      "rr_1",
      "rr_1",
      "0",
      true,
    ];
  }
}

export interface Measured {
  ms: number;
  peakMb: number;
  envelope?: Envelope;
}

// The program tells it as it leaves: nobody else can ask once it is gone.
const peak =
  'import{writeSync}from"node:fs";process.on("exit",()=>writeSync(2,`peak ${process.resourceUsage().maxRSS}\\n`))';

/** Runs one of Node's programs to its end: how long it took, and how much memory it held at most. */
function runOnce(args: readonly string[], { cwd, env }: CoupledLibrary): Measured {
  const startedAt = performance.now();
  const done = spawnSync(process.execPath, [...args], {
    cwd,
    env: { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(peak)}` },
    maxBuffer: 64 * 1024 * 1024,
  });
  const ms = performance.now() - startedAt;
  const said = done.stderr.toString();
  if (done.status !== 0)
    throw new Error(`${args.join(" ")} ended with ${done.status}: ${done.stdout.toString()}${said}`);
  return { ms, peakMb: Number(/peak (\d+)/.exec(said)?.[1]) / 1024 };
}

/** `writ research build` with these flags, and what it answered. WRIT_BENCH_PROGRAM names another entry. */
export function runBuild(
  flags: readonly string[],
  library: CoupledLibrary,
): Measured & { envelope: Envelope } {
  const answer = join(library.cwd, "answer.json");
  const program = process.env.WRIT_BENCH_PROGRAM ?? launcher;
  const words = ["research", "build", "--networks", "bibliographic_coupling", ...flags, "--json", "--quiet"];
  const script = `const { openSync } = require("node:fs"); const { spawnSync } = require("node:child_process");
    process.exit(spawnSync(process.execPath, ${JSON.stringify([program, ...words])}, { stdio: ["ignore", openSync(${JSON.stringify(answer)}, "w"), "inherit"] }).status)`;
  // The outer program holds next to nothing: the greater of the two peaks is the inner one's.
  const startedAt = performance.now();
  const done = spawnSync(process.execPath, ["-e", script], {
    cwd: library.cwd,
    env: { ...library.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(peak)}` },
  });
  const ms = performance.now() - startedAt;
  const said = done.stderr.toString();
  const envelope = JSON.parse(readFileSync(answer, "utf8")) as Envelope;
  if (done.status !== 0)
    throw new Error(`writ ${words.join(" ")} ended with ${done.status}: ${JSON.stringify(envelope)}`);
  const peaks = [...said.matchAll(/peak (\d+)/g)].map(([, kb]) => Number(kb) / 1024);
  return { ms, peakMb: Math.max(...peaks), envelope };
}

/** What somebody would write who has DuckDB and nothing else: the same pairs, from the same table, into a file. */
export function runBareJoin(library: CoupledLibrary, minWeight = 1): Measured {
  const script = join(library.cwd, "bare.mjs");
  writeFileSync(
    script,
    `import { DuckDBInstance } from ${JSON.stringify(import.meta.resolve("@duckdb/node-api"))};
     const instance = await DuckDBInstance.create(${JSON.stringify(library.file)}, { access_mode: "READ_ONLY",
       memory_limit: "1GiB", temp_directory: ${JSON.stringify(join(library.cwd, "spilled"))}, preserve_insertion_order: "false" });
     const db = await instance.connect();
     await db.run("CREATE TEMP TABLE cites AS SELECT id, unnest(references_id) AS ref FROM papers");
     await db.run(\`COPY (SELECT a.id AS source, b.id AS target, count(*) AS weight FROM cites a JOIN cites b
       ON a.ref = b.ref AND a.id < b.id GROUP BY ALL HAVING count(*) >= ${minWeight} ORDER BY source, target)
       TO ${JSON.stringify(join(library.cwd, "bare.parquet")).replaceAll('"', "'")} (FORMAT parquet, COMPRESSION zstd)\`);`,
  );
  return runOnce([script], library);
}
