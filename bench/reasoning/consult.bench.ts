import { ollamaServer } from "../../test/fakes/advisor-servers.ts";
import { type Benchmark, compare } from "../harness.ts";
import { goal } from "../support/reasoning-goals.ts";
import { makeShelf } from "../support/reasoning-records.ts";

const answer = JSON.stringify({ conclusion: "It holds.", stance: "supports" });
const advisor = {
  id: "local",
  title: "Local",
  transport: "local_runtime",
  adapter: "ollama-chat",
  vendor: "here",
  model: "small",
  base_url_env: "BENCH_HOST",
  capabilities: ["independent_reasoning"],
};

/** What Writ adds to an advisor that answers at once: plan, dispatch, exchange and record. */
export const benchmark: Benchmark = {
  name: "reasoning/consult",
  about: "consulting one local server that answers at once, in this process",
  async run({ runs }) {
    await using server = await ollamaServer(() => ({ text: answer, usage: true }));
    using shelf = makeShelf(100, {
      files: {
        "advisors.yml": JSON.stringify({
          version: 1,
          replace: true,
          advisors: [advisor],
          capabilities: vocabulary,
        }),
        "models.yml": JSON.stringify({
          version: 1,
          vendors: [{ id: "here", title: "Here", inference: "local" }],
          models: [{ id: "small", vendor: "here", native_id: "small", status: "available" }],
        }),
      },
      env: { BENCH_HOST: server.url },
    });
    let n = 0;
    let assessment = "";
    const assess = async () => {
      const record = {
        kind: "assessment",
        subject: `Whether it holds, ${n++}`,
        materiality: "material",
        evidence: [{ kind: "test", reference: "suite" }],
      };
      const data = await shelf.call("reasoning.record", { record });
      assessment = (data.record as { id: string }).id;
    };
    const consult = async () => {
      const { results } = await shelf.call("reasoning.consult", { assessment });
      if ((results as { state: string }[])[0]?.state !== "answered") throw new Error(JSON.stringify(results));
    };
    const ask = async () => {
      const body = JSON.stringify({
        model: "small",
        messages: [{ role: "user", content: "x".repeat(2000) }],
      });
      await (await fetch(`${server.url}/api/chat`, { method: "POST", body })).json();
    };
    return [
      await compare(
        {
          what: "consult of one local server",
          writ: { prepare: assess, work: consult },
          peer: { what: "the bare request", work: ask },
          target: goal("consultBeyond"),
        },
        { runs },
      ),
    ];
  },
};

const vocabulary = [{ id: "independent_reasoning", description: "A view of its own" }];
