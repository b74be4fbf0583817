import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../../test/fixtures/temp-folder.ts";
import { type Benchmark, interleave } from "../harness.ts";
import { goal } from "../support/reasoning-goals.ts";
import { measureNode } from "../support/measured.ts";
import { command, type Place, writ } from "../support/writ.ts";

const names = ["one", "two", "three"];
const advisors = names.map((id) => ({
  id,
  title: id,
  transport: "cli",
  adapter: "stdio",
  vendor: id,
  executable: id,
  capabilities: ["independent_reasoning"],
}));

/** A workspace whose advisors print until they are stopped. */
function floodIn(folder: string): Place {
  const cwd = join(folder, "w");
  const bin = join(folder, "bin");
  for (const one of [cwd, bin]) mkdirSync(one);
  for (const name of names) {
    writeFileSync(join(bin, name), "#!/bin/sh\nexec /usr/bin/yes a line of an answer that never ends\n");
    chmodSync(join(bin, name), 0o755);
  }
  const capabilities = [{ id: "independent_reasoning", description: "A view of its own" }];
  const vendors = names.map((id) => ({ id, title: id }));
  const write = (name: string, value: object) => writeFileSync(join(cwd, name), JSON.stringify(value));
  write("workspace.yml", { name: "flood", schema: "writ/1" });
  write("advisors.yml", { version: 1, replace: true, advisors, capabilities });
  write("models.yml", { version: 1, vendors });
  const reasoning = { WRIT_REASONING_MODE: "strict", WRIT_REASONING_COOLDOWN_SECONDS: "0" };
  return { cwd, env: { HOME: folder, PATH: `${bin}:/usr/bin:/bin`, ...reasoning } };
}

const peakMb = async (args: readonly string[], place: Place) => (await measureNode(args, place)).peakMb;

let assessed = 0;

function assess(place: Place): string {
  const record = {
    kind: "assessment",
    subject: `Whether it holds, ${assessed++}`,
    materiality: "critical",
    evidence: [{ kind: "test", reference: "suite" }],
  };
  const { data } = writ(["reasoning", "record", "--record", JSON.stringify(record)], place);
  return (data.record as { id: string }).id;
}

/** How much the program holds while three advisors print without end. */
export const benchmark: Benchmark = {
  name: "reasoning/memory",
  about: "memory of a consultation of three programs that print without end; Linux only",
  async run({ runs }) {
    using temp = tempFolder("writ-flood");
    const place = floodIn(temp.path);
    let assessment = "";
    const consult = ["reasoning", "consult", "--assessment"];
    const samples = await interleave(
      {
        consult: {
          prepare: () => void (assessment = assess(place)),
          work: () => peakMb(command(...consult, assessment), place),
        },
        idle: { work: () => peakMb(command("reasoning", "status"), place) },
      },
      { runs: Math.min(runs, 5), warmUps: 1 },
    );
    const { results } = writ([...consult, assessment], place).data;
    const ends = (results as { status?: string }[]).map(({ status }) => status);
    if (ends.length !== 3 || ends.some((status) => status !== "malformed")) throw new Error(String(ends));
    return [
      {
        what: "memory above idle",
        unit: "MB",
        writ: samples.consult.map((peak, i) => peak - (samples.idle[i] ?? 0)),
        peer: { what: "idle", samples: samples.idle },
        target: goal("consultMemory"),
      },
    ];
  },
};
