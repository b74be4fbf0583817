import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, compare } from "../harness.ts";
import { goal } from "../support/reasoning-goals.ts";
import { makeShelf } from "../support/reasoning-records.ts";

const advisors = Array.from({ length: 50 }, (_, i) => ({
  id: `advisor-${i}`,
  title: `Advisor ${i}`,
  transport: "api",
  adapter: "openai-chat",
  vendor: `vendor-${i}`,
  model_env: "BENCH_MODEL",
  base_url_env: "BENCH_URL",
  capabilities: ["independent_reasoning"],
}));
const vendors = advisors.map(({ vendor }) => ({ id: vendor, title: vendor, credential_env: "BENCH_KEY" }));

/** A dispatch and how it ended, in turn with each advisor. */
function exchange(i: number, ids: string[]): { kind: string } & Record<string, unknown> {
  const advisor = `advisor-${(i >> 1) % advisors.length}`;
  const said = { plan: "plan_of_another_day", advisor, source: advisor, remote: true };
  if (i % 2 === 0)
    return {
      kind: "dispatch",
      ...said,
      request_bytes: 4000,
      reserve_tokens: 2000,
      deadline_at: "2026-11-30T12:01:30.000Z",
    };
  return {
    kind: "consultation",
    ...said,
    dispatch: ids[i - 1],
    status: i % 7 === 0 ? "timeout" : "completed",
    usage: { input_tokens: 1000, output_tokens: 500 },
    response_bytes: 2000,
  };
}

/** Who is to be asked, with many advisors and a long history. */
export const benchmark: Benchmark = {
  name: "reasoning/plan",
  about: "a plan with 50 advisors and 10,000 consultations, in this process",
  async run({ runs }) {
    using shelf = makeShelf(20_000, {
      body: exchange,
      bare: true,
      files: {
        "workspace.yml":
          "name: shelf\nschema: writ/1\nreasoning: { limits: { tokens_per_day: 1000000000 } }\n",
        "advisors.yml": JSON.stringify({ version: 1, replace: true, advisors, capabilities: vocabulary }),
        "models.yml": JSON.stringify({ version: 1, vendors }),
      },
      env: { BENCH_KEY: "k", BENCH_URL: "https://bench.test", BENCH_MODEL: "m" },
    });
    const index = join(shelf.root, ".writ/reasoning/index.ndjson");
    const plan = async () => {
      const { available } = await shelf.call("reasoning.plan", { materiality: "high" });
      if (available !== advisors.length) throw new Error(`${String(available)} advisors are there`);
    };
    const parse = () => {
      for (const line of readFileSync(index, "utf8").trimEnd().split("\n")) JSON.parse(line);
    };
    return [
      await compare(
        {
          what: "plan with 50 advisors",
          writ: { work: plan },
          peer: { what: "reading and parsing the index", work: parse },
          target: goal("plan"),
        },
        { runs },
      ),
    ];
  },
};

const vocabulary = [{ id: "independent_reasoning", description: "A view of its own" }];
