import { join } from "node:path";
import { type Benchmark, interleave, type Settings } from "./harness.ts";
import { makeBed } from "./support/stacks.ts";
import { command, launcher, run, writ } from "./support/writ.ts";

/** What an agent waits for at every call: the program's own start. */
export const benchmark: Benchmark = {
  name: "start",
  about: "the built program against node doing nothing",
  async run({ runs }: Settings) {
    using bed = makeBed({ stacks: 2, filesPerStack: 5 });
    const composed = bed.workspace("composed");
    writ(["bootstrap"], composed);
    writ(["token", "create"], composed);
    writ(["init", "example", "--template", "writ/example", "--offline"], composed);
    const example = { ...composed, cwd: join(composed.cwd, "example") };
    writ(["bootstrap"], example);
    const node = (args: string[], place = composed) => ({ work: () => run(process.execPath, args, place) });
    const samples = await interleave(
      {
        bare: node(["-e", "0"]),
        version: node([launcher, "--version"]),
        status: node(command("status")),
        example: node(command("status"), example),
        schema: node(command("schema")),
        tokens: node(command("token", "list")),
      },
      { runs: Math.max(runs, 15) },
    );
    const peer = { what: "node -e 0", samples: samples.bare };
    return [
      {
        what: "writ --version",
        unit: "ms",
        writ: samples.version,
        peer,
        target: { kind: "ratio", atMost: 1.3 },
      },
      {
        what: "writ status --json",
        unit: "ms",
        writ: samples.status,
        peer,
        target: { kind: "ratio", atMost: 2.2 },
      },
      {
        what: "writ status --json (writ/example)",
        unit: "ms",
        writ: samples.example,
        peer,
        target: { kind: "ratio", atMost: 2.2 },
      },
      { what: "writ schema --json", unit: "ms", writ: samples.schema, peer },
      { what: "writ token list --json (opens the store)", unit: "ms", writ: samples.tokens, peer },
    ];
  },
};
