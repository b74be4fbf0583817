import { readFileSync } from "node:fs";
import { reportOf } from "../../packages/writ/src/reasoning/derive/report.ts";
import { stateOf } from "../../packages/writ/src/reasoning/derive/state.ts";
import type { ReasoningRecord } from "../../packages/writ/src/reasoning/model/record.ts";
import { Records } from "../../packages/writ/src/reasoning/records/records.ts";
import { type Benchmark, compare } from "../harness.ts";
import { goal } from "../support/reasoning-goals.ts";
import { makeShelf } from "../support/reasoning-records.ts";

const checkout = {
  now: Date.parse("2026-12-01T12:00:00.000Z"),
  reuseDays: 90,
  isAncestor: () => true,
  digestOf: () => undefined,
  isDamaged: () => false,
};

/** What the records come to, once they are in memory. */
export const benchmark: Benchmark = {
  name: "reasoning/derive",
  about: "state and report of 10,000 records in 200 tasks, without a file",
  async run({ runs }) {
    using shelf = makeShelf(10_000);
    const texts = shelf.files.map((file) => readFileSync(file, "utf8"));
    const shown = texts.map((text) => JSON.parse(text) as ReasoningRecord);
    const derive = () => {
      const records = Records.of(shown);
      const chain = { seq: shown.length, digest: "0".repeat(64) };
      const state = stateOf({ task: "all", shown, records, checkout, unreadable: [], chain });
      reportOf({ state, shown, records, mode: { mode: "standard", source: "default" } });
    };
    return [
      await compare(
        {
          what: "state of 10,000 records",
          writ: { work: derive },
          peer: { what: "parsing them", work: () => texts.forEach((text) => JSON.parse(text)) },
          target: goal("derive"),
        },
        { runs },
      ),
    ];
  },
};
