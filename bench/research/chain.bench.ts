import { seededRandom } from "../../packages/writ/src/research/analysis/random.ts";
import { type FakeOpenAlex, startOpenAlex } from "../../test/fakes/openalex/server.ts";
import type { FakeWork } from "../../test/fakes/openalex/works.ts";
import type { Benchmark, Finding } from "../harness.ts";
import { measureWrit } from "../support/measured.ts";
import { type Bed, makeBed } from "./bed.ts";

/** B14 and B15: how often a source is asked, which is what following citations costs. */
export const benchmark: Benchmark = {
  name: "research/chain",
  about: "requests of writ research chain, counted at the source",
  run: async () => [await again(), await citers()],
};

/** A library seeded with what the word `seedling` finds, and the source that it is asked from. */
async function seeded(works: FakeWork[]): Promise<{ fake: FakeOpenAlex; bed: Bed }> {
  // The fake goes over all it knows for each request: what it need not find yet comes later.
  const fake = await startOpenAlex(works.filter(isSeed));
  const bed = makeBed({ WRIT_OPENALEX_URL: fake.url });
  const max = String(fake.works.length);
  await measureWrit(["research", "seed", "--equation", "seedling", "--max-results", max], bed);
  for (const one of works) if (!isSeed(one)) fake.works.push(one);
  fake.requests.length = 0;
  return { fake, bed };
}

const isSeed = ({ title }: FakeWork) => title?.startsWith("Seedling") === true;

/** B14: chaining again asks nobody. */
async function again(): Promise<Finding> {
  const random = seededRandom(3);
  const seeds = Array.from({ length: 500 }, (_, at) =>
    work(1000 + at, "Seedling", { references: drawn(20, () => 100_000 + Math.floor(random() * 6000)) }),
  );
  const others = Array.from({ length: 1500 }, (_, at) =>
    work(20_000 + at, "Citer", { references: drawn(3, () => 1000 + Math.floor(random() * 500)) }),
  );
  const { fake, bed } = await seeded([...seeds, ...others]);
  await using _fake = fake;
  using _bed = bed;
  await measureWrit(["research", "chain"], bed);
  const first = fake.requests.length;
  fake.requests.length = 0;
  await measureWrit(["research", "chain"], bed);
  if (first === 0) throw new Error("B14: the first chain asked nobody, so the second means nothing");
  return {
    what: `B14: chain again after ${first} requests, 500 seeds`,
    unit: "count",
    writ: [fake.requests.length],
    target: { kind: "value", atMost: 0 },
  };
}

/** B15: ten famous seeds are not paged through for the sake of the others. */
async function citers(): Promise<Finding> {
  const seeds = Array.from({ length: 200 }, (_, at) =>
    work(1000 + at, "Seedling", { cited: at < 10 ? 20_000 : at % 6 }),
  );
  const citing = seeds.flatMap(({ id, cited = 0 }, at) =>
    Array.from({ length: cited }, (_, k) => work(1_000_000 + at * 20_000 + k, "Citer", { references: [id] })),
  );
  const { fake, bed } = await seeded([...seeds, ...citing]);
  await using _fake = fake;
  using _bed = bed;
  const { envelope } = await measureWrit(
    ["research", "chain", "--direction", "forward", "--max-citing", "50"],
    bed,
  );
  const { new_candidates: found } = envelope.data as { new_candidates: number };
  if (found < 500) throw new Error(`B15: ${found} citers are fewer than were asked for`);
  return {
    what: "B15: 200 seeds, ten with 20,000 citers, budget 50",
    unit: "count",
    writ: [fake.requests.filter(({ query }) => query.filter?.startsWith("cites:")).length],
    target: { kind: "value", atMost: 25 },
  };
}

function work(id: number, word: string, more: Partial<FakeWork>): FakeWork {
  return { id: `W${id}`, title: `${word} ${id}`, year: 2000 + (id % 20), type: "article", ...more };
}

function drawn(count: number, draw: () => number): string[] {
  return [...new Set(Array.from({ length: count }, () => `W${draw()}`))];
}
