import { readFileSync } from "node:fs";
import { type Benchmark, interleave } from "../harness.ts";
import { makeShelf } from "../support/reasoning-records.ts";

/** Where everything stands, beside reading and parsing the same files. */
export const benchmark: Benchmark = {
  name: "reasoning/status",
  about: "the state of 10,000 records, in this process",
  async run({ runs }) {
    using shelf = makeShelf(10_000);
    // The first record writes the index, as it would have stood.
    await shelf.call("reasoning.record", {
      record: { kind: "attempt", attempt: "first", observed_failure: "f" },
    });
    const samples = await interleave(
      {
        all: { work: async () => void (await shelf.call("reasoning.status", { task: "all" })) },
        task: { work: async () => void (await shelf.call("reasoning.status", { task: "task-7" })) },
        check: { work: async () => void (await shelf.call("reasoning.check")) },
        plan: { work: async () => void (await shelf.call("reasoning.plan", { materiality: "high" })) },
        files: {
          // One after the other is how small files are read fastest.
          work: () => {
            for (const file of shelf.files) JSON.parse(readFileSync(file, "utf8"));
          },
        },
      },
      { runs: Math.min(runs, 10) },
    );
    const peer = { what: "reading and parsing the files", samples: samples.files };
    return [
      { what: "status of all", unit: "ms", writ: samples.all, peer, target: { kind: "ratio", atMost: 3 } },
      {
        what: "status of a task of 50",
        unit: "ms",
        writ: samples.task,
        target: { kind: "value", atMost: 150 },
      },
      { what: "plan", unit: "ms", writ: samples.plan, target: { kind: "value", atMost: 150 } },
      { what: "check", unit: "ms", writ: samples.check, target: { kind: "value", atMost: 15_000 } },
    ];
  },
};
