import { readFileSync } from "node:fs";
import { type Benchmark, interleave } from "../harness.ts";
import { goal } from "../support/reasoning-goals.ts";
import { makeShelf } from "../support/reasoning-records.ts";

/** Where everything stands, beside reading and parsing the same files. */
export const benchmark: Benchmark = {
  name: "reasoning/status",
  about: "the state of 10,000 records and of one task of 50, in this process, from disk",
  async run({ runs }) {
    using shelf = makeShelf(10_000);
    // The first record writes the index, as it would have stood.
    await shelf.call("reasoning.record", {
      record: { kind: "attempt", attempt: "first", observed_failure: "f" },
    });
    // One after the other is how small files are read fastest.
    const read = (files: readonly string[]) => () => {
      for (const file of files) JSON.parse(readFileSync(file, "utf8"));
    };
    const samples = await interleave(
      {
        all: { work: async () => void (await shelf.call("reasoning.status", { task: "all" })) },
        task: { work: async () => void (await shelf.call("reasoning.status", { task: "task-7" })) },
        files: { work: read(shelf.files) },
        fifty: { work: read(shelf.files.slice(350, 400)) },
      },
      { runs },
    );
    const peer = { what: "reading and parsing the files", samples: samples.files };
    return [
      { what: "status of all", unit: "ms", writ: samples.all, peer, target: { kind: "ratio", atMost: 3 } },
      { what: "status of all, 95th percentile", unit: "ms", writ: samples.all, target: goal("statusOfAll") },
      {
        what: "status of a task of 50",
        unit: "ms",
        writ: samples.task,
        peer: { what: "reading and parsing its files", samples: samples.fifty },
        target: goal("statusOfTask"),
      },
    ];
  },
};
