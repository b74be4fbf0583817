import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { type Benchmark, interleave } from "../harness.ts";
import { goal } from "../support/reasoning-goals.ts";
import { makeShelf, type Shelf } from "../support/reasoning-records.ts";

/** One more record, in a small store and in a large one. */
export const benchmark: Benchmark = {
  name: "reasoning/record",
  about: "recording in a store of 100 records and in one of 10,000",
  async run({ runs }) {
    using small = makeShelf(100);
    using large = makeShelf(10_000);
    let n = 0;
    const record = (shelf: Shelf) => ({
      work: async () => {
        const said = { kind: "attempt", attempt: `attempt ${n++}`, observed_failure: "f" };
        await shelf.call("reasoning.record", { record: said });
      },
    });
    // The first record of a process writes or reads the whole index.
    for (const shelf of [small, large]) await record(shelf).work();
    const samples = await interleave(
      {
        small: record(small),
        large: record(large),
        file: { work: () => flushed(join(small.root, `plain-${n++}`)) },
      },
      { runs: Math.max(15, runs) },
    );
    return [
      {
        what: "recording among 10,000",
        unit: "ms",
        writ: samples.large,
        peer: { what: "recording among 100", samples: samples.small },
        target: { kind: "ratio", atMost: 1.3 },
      },
      {
        what: "recording among 10,000, 95th percentile",
        unit: "ms",
        writ: samples.large,
        peer: { what: "a file, flushed and renamed", samples: samples.file },
        target: goal("commit"),
      },
      {
        what: "recording among 100",
        unit: "ms",
        writ: samples.small,
        peer: { what: "a file, flushed and renamed", samples: samples.file },
      },
    ];
  },
};

async function flushed(path: string): Promise<void> {
  const file = await open(`${path}.tmp`, "w");
  await file.writeFile("x".repeat(2000));
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
}
