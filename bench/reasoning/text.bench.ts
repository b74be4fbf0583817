import { normalise } from "../../packages/writ/src/reasoning/consult/normalise.ts";
import { cleanTree } from "../../packages/writ/src/reasoning/records/clean.ts";
import { type Benchmark, interleave, median } from "../harness.ts";
import { goal } from "../support/reasoning-goals.ts";

const mib = 1024 * 1024;
const upTo = (text: string, bytes: number): string =>
  text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);

/** A record of 64 KiB: prose, and in each of its texts a secret, colours and an address. */
const record = Array.from({ length: 8 }, (_, i) =>
  upTo(
    `Line ${i} of what was seen; api_key=${"k".repeat(24)} \u001b[31mred\u001b[0m at https://example.test/a?b.\n`,
    8000,
  ),
);

/** Texts that a reader has to look through for long before it knows what they are. */
const texts = {
  "braces only": "{".repeat(mib),
  "objects that never end well": `${'{"a":'.repeat(200)}"${"x".repeat(mib - 4000)}" x${"}".repeat(200)}`,
  "a conclusion of escapes": JSON.stringify({
    conclusion: "\u001b".repeat(80_000) + "[A".repeat(80_000),
    stance: "supports",
  }),
  "a conclusion of introducers": JSON.stringify({ conclusion: "\u009d".repeat(500_000) }),
} as const;

/** Texts from outside: cleaned, redacted, and read for an answer. */
export const benchmark: Benchmark = {
  name: "reasoning/text",
  about: "cleaning 64 KiB, and reading 1 MiB for an answer",
  async run({ runs }) {
    const plain = JSON.stringify({ text: "x".repeat(mib - 100) });
    const names = Object.keys(texts) as (keyof typeof texts)[];
    const sides = Object.fromEntries(
      names.map((name) => [name, { work: () => void normalise(texts[name], "advisor:one") }]),
    ) as Record<keyof typeof texts, { work: () => void }>;
    const samples = await interleave(
      {
        ...sides,
        clean: { work: () => void cleanTree(record) },
        walk: { work: () => void JSON.parse(JSON.stringify(record)) },
        parse: { work: () => void JSON.parse(plain) },
      },
      { runs },
    );
    const [worst = "braces only"] = names.toSorted((a, b) => median(samples[b]) - median(samples[a]));
    return [
      {
        what: "clean and redact 64 KiB",
        unit: "ms",
        writ: samples.clean,
        peer: { what: "the same through JSON", samples: samples.walk },
        target: goal("clean"),
      },
      {
        what: `normalise the worst 1 MiB: ${worst}`,
        unit: "ms",
        writ: samples[worst],
        peer: { what: "parsing 1 MiB of JSON", samples: samples.parse },
        target: goal("normalise"),
      },
    ];
  },
};
