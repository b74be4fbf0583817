import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { seededRandom } from "../../packages/writ/src/research/analysis/random.ts";

const abstractWords = 120;
const words =
  "alpha analysis beta citation data deep effect gamma graph large learning method model network review small study system theory".split(
    " ",
  );

interface Entry {
  at: number;
  title: string;
  authors: string[];
  journal: string;
  year: number;
  keywords: string[];
  abstract: string;
}

const writers = {
  bibtex: ({ at, title, authors, journal, year, keywords, abstract }: Entry) => `@article{k${at},
  title = {${title}},
  author = {${authors.join(" and ")}},
  journal = {${journal}},
  year = {${year}},
  doi = {10.5555/b.${at}},
  keywords = {${keywords.join(", ")}},
  abstract = {${abstract}}
}

`,
  ris: ({ at, title, authors, journal, year, keywords, abstract }: Entry) =>
    [
      "TY  - JOUR",
      `TI  - ${title}`,
      ...authors.map((name) => `AU  - ${name}`),
      `JO  - ${journal}`,
      `PY  - ${year}`,
      `DO  - 10.5555/b.${at}`,
      ...keywords.map((one) => `KW  - ${one}`),
      `AB  - ${abstract}`,
      "ER  - \n\n",
    ].join("\n"),
} as const;

/** Writes articles as a reference manager exports them, some 1,100 bytes each; the same each time. */
export async function writeBibliography(
  file: string,
  { format, count }: { format: keyof typeof writers; count: number },
): Promise<void> {
  const stream = createWriteStream(file, { highWaterMark: 1 << 20 });
  const random = seededRandom(1);
  const some = (n: number) =>
    Array.from({ length: n }, () => words[Math.floor(random() * words.length)] as string);
  for (let at = 0; at < count; at += 1) {
    const entry = {
      at,
      title: `${some(9).join(" ")} ${at}`,
      authors: [`Doe${at}, Jane`, `Roe${at}, Rick`, `Poe${at}, Ann`],
      journal: `Journal of ${some(3).join(" ")}`,
      year: 1980 + (at % 45),
      keywords: some(2),
      abstract: some(abstractWords).join(" "),
    };
    if (!stream.write(writers[format](entry))) await once(stream, "drain");
  }
  stream.end();
  await finished(stream);
}
