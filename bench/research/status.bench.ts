import { type Benchmark, interleave } from "../harness.ts";
import { measureDuckDb } from "../support/bare-duckdb.ts";
import { measureWrit } from "../support/measured.ts";
import { coupledLibrary } from "./coupled.ts";
import { settle, touch } from "./touched.ts";

/** B10: where a library of 10,000 papers stands. */
export const benchmark: Benchmark = {
  name: "research/status",
  about: "writ research status of 10,000 papers, against counting them in DuckDB",
  async run({ runs }) {
    using bed = await coupledLibrary({ papers: 10_000, references: 30, works: 50_000 });
    const count = "SELECT curation_status, count(*) FROM papers GROUP BY ALL";
    const status = async () => (await measureWrit(["research", "status"], bed)).ms;
    const samples = await interleave(
      {
        first: { prepare: () => touch(bed), work: status },
        again: { prepare: () => settle(bed), work: status },
        bare: { work: async () => (await measureDuckDb(bed, { file: bed.library, statements: [count] })).ms },
      },
      { runs },
    );
    const peer = { what: "the same file opened and counted in DuckDB", samples: samples.bare };
    const target = { kind: "value", atMost: 300 } as const;
    return [
      {
        what: "B10: status of 10,000 papers, the library as at the last one",
        unit: "ms",
        writ: samples.again,
        peer,
        target,
      },
      { what: "B10: the first status after a change", unit: "ms", writ: samples.first, peer, target },
    ];
  },
};
