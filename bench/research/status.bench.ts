import { type Benchmark, compare } from "../harness.ts";
import { measureDuckDb } from "../support/bare-duckdb.ts";
import { measureWrit } from "../support/measured.ts";
import { coupledLibrary } from "./coupled.ts";

/** B10: where a library of 10,000 papers stands. */
export const benchmark: Benchmark = {
  name: "research/status",
  about: "writ research status of 10,000 papers, against counting them in DuckDB",
  async run({ runs }) {
    using bed = await coupledLibrary({ papers: 10_000, references: 30, works: 50_000 });
    const count = "SELECT curation_status, count(*) FROM papers GROUP BY ALL";
    return [
      await compare(
        {
          what: "B10: status of 10,000 papers",
          writ: { work: async () => (await measureWrit(["research", "status"], bed)).ms },
          peer: {
            what: "the same file opened and counted in DuckDB",
            work: async () => (await measureDuckDb(bed, { file: bed.library, statements: [count] })).ms,
          },
          target: { kind: "value", atMost: 300 },
        },
        { runs },
      ),
    ];
  },
};
