import { copyFileSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, interleave } from "../harness.ts";
import { goal } from "../support/reasoning-goals.ts";
import { makeShelf } from "../support/reasoning-records.ts";

/** A store that has grown for years, to a process that has read nothing of it yet. */
export const benchmark: Benchmark = {
  name: "reasoning/large",
  about: "plan and record in a store of 100,000 records, its index unread",
  async run({ runs }) {
    using shelf = makeShelf(100_000, { bare: true });
    const index = join(shelf.root, ".writ/reasoning/index.ndjson");
    // Another file under the same name: what this process had read of it counts no more.
    const prepare = () => {
      copyFileSync(index, `${index}.copy`);
      renameSync(`${index}.copy`, index);
    };
    let n = 0;
    const record = () =>
      shelf.call("reasoning.record", {
        record: { kind: "attempt", attempt: `attempt ${n++}`, observed_failure: "f" },
      });
    await record();
    const samples = await interleave(
      {
        plan: {
          prepare,
          work: async () => void (await shelf.call("reasoning.plan", { materiality: "high" })),
        },
        record: { prepare, work: async () => void (await record()) },
        parse: {
          work: () => {
            for (const line of readFileSync(index, "utf8").trimEnd().split("\n")) JSON.parse(line);
          },
        },
      },
      { runs },
    );
    const peer = { what: "reading and parsing the index", samples: samples.parse };
    return [
      { what: "plan among 100,000", unit: "ms", writ: samples.plan, peer, target: goal("planOfLargeStore") },
      {
        what: "record among 100,000",
        unit: "ms",
        writ: samples.record,
        peer,
        target: goal("recordInLargeStore"),
      },
    ];
  },
};
