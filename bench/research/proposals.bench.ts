import { join } from "node:path";
import { proposals } from "../../packages/writ/src/research/duplicates/propose.ts";
import { Database } from "../../packages/writ/src/research/library/database.ts";
import { libraryOf, type PaperFixture } from "../../packages/writ/src/research/networks/papers.fixture.ts";
import { seededRandom } from "../../packages/writ/src/research/analysis/random.ts";
import { canonicalColumns } from "../../packages/writ/src/research/model.ts";
import { type Benchmark, type Finding, interleave } from "../harness.ts";
import { besideB2g, timeB2g } from "../support/reference-b2g.ts";
import { makeBed } from "./bed.ts";

const loads = [
  { name: "B1: 1,000 papers, 4,000 authors", papers: 1000, authors: 4000, mostMs: 500 },
  { name: "B2: 3,000 papers, 12,000 authors", papers: 3000, authors: 12_000, mostMs: 2000 },
  { name: "B12: 20,000 author names", papers: 5000, authors: 20_000, mostMs: 5000 },
];

/** Proposals of entities that may be one, over names that overlap as names do. */
export const benchmark: Benchmark = {
  name: "research/proposals",
  about: "proposals of authors, institutions and keywords",
  async run({ runs }) {
    const findings: Finding[] = [];
    for (const { name, papers, authors, mostMs } of loads) {
      const db = await libraryOf(generated(papers, authors));
      try {
        const { writ } = await interleave(
          { writ: { work: () => propose(db) } },
          { runs: Math.min(runs, 5), warmUps: 1 },
        );
        findings.push({ what: name, unit: "ms", writ, target: { kind: "value", atMost: mostMs } });
        if (papers === 3000) findings.push(await besideB2g(name, writ, () => dedupOfB2g(db)));
      } finally {
        db.close();
      }
    }
    return findings;
  },
};

async function propose(db: Database): Promise<void> {
  const found = await proposals(db, ["author", "institution", "keyword"]);
  if (found.length === 0) throw new Error("nothing was proposed: the figure would mean nothing");
}

/** The same names compared by the reference: authors and keywords, without reading them. */
async function dedupOfB2g(db: Database): Promise<number> {
  using bed = makeBed();
  const file = join(bed.cwd, "corpus.parquet");
  // It looks at ids only; where a name is all there is, the name is the id.
  const ids = (raw: string) => `list_transform(${raw}, lambda one: strip_accents(lower(one)))`;
  await db.run(
    `COPY (SELECT ${canonicalColumns.join(", ")} FROM (SELECT * REPLACE (
       ${ids("authors_raw")} AS authors_id, ${ids("keywords_raw")} AS keywords_id) FROM papers) ORDER BY id)
     TO '${file}' (FORMAT parquet)`,
  );
  return timeB2g(
    [
      "import time, pyarrow.parquet as parquet",
      "from bib2graph.corpus import Corpus",
      "from bib2graph.schemas import CORPUS_SCHEMA",
      "from bib2graph.preprocessors.dedup import deduplicate_authors, deduplicate_keywords",
      `corpus = Corpus.from_arrow(parquet.read_table(${JSON.stringify(file)}, schema=CORPUS_SCHEMA))`,
      "begun = time.perf_counter()",
      "deduplicate_keywords(deduplicate_authors(corpus, threshold=0.92), threshold=0.90)",
      "print(time.perf_counter() - begun)",
    ],
    bed,
  );
}

const syllables = "ra mi to ka len dor sa vi chen gar ruiz mar tin son berg lo pe wa zu ni".split(" ");

/** Papers with authors that are names alone, each on one paper; the same every time. */
function generated(papers: number, authors: number): PaperFixture[] {
  const random = seededRandom(1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const word = (parts: number) => Array.from({ length: parts }, () => pick(syllables)).join("");
  const words = Array.from({ length: 2000 }, () => word(3));
  const share = Math.ceil(authors / papers);
  return Array.from({ length: papers }, (_, at) => ({
    sourceId: `W${at}`,
    title: Array.from({ length: 8 }, () => pick(words)).join(" "),
    authors: Array.from({ length: share }, () => ({ name: `${word(random() < 0.6 ? 3 : 2)}, ${word(2)}` })),
    keywords: Array.from({ length: 3 }, () => ({ raw: pick(words) })),
  }));
}
