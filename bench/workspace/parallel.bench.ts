import { cpus } from "node:os";
import { type Benchmark, interleave } from "../harness.ts";
import { makeBed } from "../support/stacks.ts";
import { command, type Place, run, running } from "../support/writ.ts";

const atOnce = 32;

/** Many bootstraps at once over one cache: none may fail, and they share the work. */
export const benchmark: Benchmark = {
  name: "workspace/parallel",
  about: `${atOnce} bootstraps at once, shared cache`,
  async run({ runs }) {
    using bed = makeBed({ stacks: 3, filesPerStack: 20 });
    let turn = 0;
    let places: Place[] = [];
    const fresh = (count: number) => () => {
      turn++;
      places = Array.from({ length: count }, (_, i) =>
        bed.workspace(`w-${turn}-${i}`, { cache: `cache-${turn}` }),
      );
    };
    const bootstrap = command("bootstrap");
    const samples = await interleave(
      {
        many: {
          prepare: fresh(atOnce),
          // One that fails ends the bench: no failure is the first half of the promise.
          work: async () =>
            void (await Promise.all(places.map((place) => running(process.execPath, bootstrap, place)))),
        },
        one: {
          prepare: fresh(1),
          work: () => places.forEach((place) => run(process.execPath, bootstrap, place)),
        },
      },
      { runs: Math.max(10, Math.ceil(runs / 2)), warmUps: 1 },
    );
    return [
      {
        what: `parallel, ${atOnce} at once`,
        unit: "ms",
        writ: samples.many,
        peer: { what: "one bootstrap", samples: samples.one },
        target: { kind: "ratio", atMost: (atOnce / cpus().length) * 1.5 },
      },
    ];
  },
};
