import { readFileSync } from "node:fs";
import { type Benchmark, compare, type Finding } from "../harness.ts";
import { goal } from "../support/reasoning-goals.ts";
import { makeShelf } from "../support/reasoning-records.ts";

/** Every record judged again, beside reading and parsing the same files. */
export const benchmark: Benchmark = {
  name: "reasoning/check",
  about: "the check of 1,000 records and of 10,000",
  async run({ runs }) {
    const findings: Finding[] = [];
    for (const [count, name] of [
      [1000, "checkOfThousand"],
      [10_000, "checkOfTenThousand"],
    ] as const) {
      using shelf = makeShelf(count);
      await shelf.call("reasoning.record", {
        record: { kind: "attempt", attempt: "first", observed_failure: "f" },
      });
      const parse = () => {
        for (const file of shelf.files) JSON.parse(readFileSync(file, "utf8"));
      };
      findings.push(
        await compare(
          {
            what: `check of ${count}`,
            writ: { work: async () => void (await shelf.call("reasoning.check")) },
            peer: { what: "reading and parsing the files", work: parse },
            target: goal(name),
          },
          { runs: Math.min(runs, 10), warmUps: 1 },
        ),
      );
    }
    return findings;
  },
};
