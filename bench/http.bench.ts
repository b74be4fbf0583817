import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, type Finding, interleave, type Settings } from "./harness.ts";
import { makeBed } from "./support/stacks.ts";
import { beside, command, type Place, writ } from "./support/writ.ts";

// Two reads: one that looks at no state, and one that reads a row of the store beside the caller's own.
const reads = ["/v1/schema", "/v1/token/list"];

/** What the server costs above its framework: an authenticated read against the same bytes answered by nothing. */
export const benchmark: Benchmark = {
  name: "http",
  about: "an authenticated read against the bare framework answering the same bytes",
  async run(settings) {
    using bed = makeBed({ stacks: 1, filesPerStack: 5 });
    const place = bed.workspace("served");
    writ(["bootstrap"], place);
    const token = String(writ(["token", "create", "--role", "admin"], place).data.token);
    await using server = await beside(command("serve", "--port", "0"), place, "MCP ");
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.said)?.[0] ?? "";
    const findings: Finding[] = [];
    for (const path of reads)
      findings.push(...(await compare({ url, path, token, place, pid: server.child.pid }, settings)));
    return findings;
  },
};

interface Served {
  url: string;
  path: string;
  token: string;
  place: Place;
  pid: number | undefined;
}

async function compare({ url, path, token, place, pid }: Served, { runs }: Settings): Promise<Finding[]> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(url + path, { headers });
  const bytes = Buffer.from(await answer.text());
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${bytes.toString()}`);
  await using bare = await beside(
    [join(import.meta.dirname, "support/bare-http.ts"), bytes.toString("base64")],
    place,
    "http:",
  );
  const side = (base: string, process: number | undefined) => {
    const cost: number[] = [];
    return { cost, work: () => load(base, { path, headers, pid: process, cost }) };
  };
  const sides = { writ: side(url, pid), bare: side(bare.said.trim(), bare.child.pid) };
  const warmUps = 2;
  const samples = await interleave(sides, { runs, warmUps });
  const timed = ({ cost }: { cost: number[] }) => cost.slice(warmUps);
  const peer = `Hono, ${bytes.length} bytes`;
  return [
    {
      what: `GET ${path}`,
      unit: "requests/s",
      writ: samples.writ,
      peer: { what: peer, samples: samples.bare },
      target: { kind: "ratio", atLeast: 0.5 },
    },
    // Says the same where a busy machine makes rates say little; no target is held against it.
    {
      what: `GET ${path}, CPU of 1000`,
      unit: "ms",
      writ: timed(sides.writ),
      peer: { what: peer, samples: timed(sides.bare) },
    },
  ];
}

interface Asked {
  path: string;
  headers: Record<string, string>;
  pid: number | undefined;
  cost: number[];
}

async function load(base: string, { path, headers, pid, cost }: Asked): Promise<number> {
  const plan = { port: Number(new URL(base).port), path, headers, connections: 16, seconds: 1 };
  const before = cpuMs(pid);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "support/load.ts"), JSON.stringify(plan)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let text = "";
  for await (const chunk of child.stdout) text += String(chunk);
  const { perSecond } = JSON.parse(text) as { perSecond: number };
  cost.push((cpuMs(pid) - before) / ((perSecond * plan.seconds) / 1000));
  return perSecond;
}

/** What a process has used of the processor so far; Linux tells it in ticks of 10 ms. */
function cpuMs(pid: number | undefined): number {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
