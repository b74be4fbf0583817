import { join } from "node:path";
import type { Benchmark, Finding } from "../harness.ts";
import { measureDuckDb } from "../support/bare-duckdb.ts";
import { writeBibliography } from "../support/bibliographies.ts";
import { measureWrit } from "../support/measured.ts";
import { makeBed } from "./bed.ts";

const count = 100_000;
const named = count.toLocaleString("en");

/** A bibliography of a hundred thousand entries comes in, with little memory. */
export const benchmark: Benchmark = {
  name: "research/import",
  about: `${named} entries of BibTeX and of RIS are imported: the memory of the whole process`,
  async run() {
    return [...(await importing("bibtex", "bib")), ...(await importing("ris", "ris"))];
  },
};

async function importing(format: "bibtex" | "ris", extension: string): Promise<Finding[]> {
  using bed = makeBed();
  const file = join(bed.cwd, `works.${extension}`);
  await writeBibliography(file, { format, count });
  const { ms, peakMb, envelope } = await measureWrit(["research", "seed", "--from-file", file], bed);
  const { total_papers: total } = envelope.data as { total_papers: number };
  if (total !== count) throw new Error(`${total} papers are not what was imported`);
  const bare = await measureDuckDb(bed, { statements: ["SELECT 1"] });
  return [
    {
      what: `import of ${named} entries, ${format}: memory`,
      unit: "MB",
      writ: [peakMb],
      peer: { what: "Node with an empty DuckDB in it", samples: [bare.peakMb] },
      target: { kind: "value", atMost: 300 },
    },
    { what: `import of ${named} entries, ${format}: time`, unit: "ms", writ: [ms] },
  ];
}
