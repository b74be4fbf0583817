import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { seededRandom } from "../../packages/writ/src/research/analysis/random.ts";

/** What each work has. */
const references = 30;
const authors = 4;
const abstractWords = 120;
/** References are drawn from the works of the file and as many others. */
const beyond = 2;

/** Writes works as a dump of OpenAlex holds them, one a line; the same each time. */
export async function writeLines(file: string, count: number): Promise<void> {
  const stream = createWriteStream(file, { highWaterMark: 1 << 20 });
  const random = seededRandom(1);
  const below = (n: number) => Math.floor(random() * n);
  const words = [...distinct(8000, () => wordOf(below))];
  for (let at = 0; at < count; at += 1)
    if (!stream.write(lineOf(at, { count, below, words }))) await once(stream, "drain");
  stream.end();
  await finished(stream);
}

interface Drawn {
  count: number;
  below(n: number): number;
  words: readonly string[];
}

function distinct(size: number, draw: () => string): Set<string> {
  const drawn = new Set<string>();
  while (drawn.size < size) drawn.add(draw());
  return drawn;
}

const syllables = "ra mi to ka len dor sa vi chen gar tin son berg lo pe wa zu ni ex pro con de".split(" ");

function wordOf(below: Drawn["below"]): string {
  return Array.from({ length: 2 + below(3) }, () => syllables[below(syllables.length)]).join("");
}

const site = "https://openalex.org/";

function lineOf(at: number, drawn: Drawn): string {
  const work = JSON.stringify(workOf(at, drawn)).slice(0, -1);
  return `${work},"abstract_inverted_index":{${indexOf(drawn)}}}\n`;
}

function workOf(at: number, { count, below, words }: Drawn) {
  const word = () => words[below(words.length)] as string;
  const title = Array.from({ length: 9 }, word).join(" ");
  const year = 1980 + below(45);
  const id = `${site}W${10_000_000 + at}`;
  const cited = distinct(references, () => `${site}W${10_000_000 + below(count * beyond)}`);
  return {
    id,
    doi: `https://doi.org/10.5555/w.${at}`,
    title,
    display_name: title,
    publication_year: year,
    publication_date: `${year}-0${1 + below(9)}-${10 + below(18)}`,
    ids: { openalex: id, doi: `https://doi.org/10.5555/w.${at}` },
    language: below(10) === 0 ? "es" : "en",
    type: below(12) === 0 ? "review" : "article",
    is_retracted: false,
    cited_by_count: below(200),
    primary_location: {
      landing_page_url: `https://doi.org/10.5555/w.${at}`,
      source: { display_name: `Journal of ${words[below(900)]}`, issn_l: `1234-${1000 + below(900)}` },
    },
    biblio: { volume: String(1 + below(90)), issue: String(1 + below(12)), first_page: "1", last_page: "12" },
    authorships: Array.from({ length: authors }, () => authorOf(below, words)),
    keywords: Array.from({ length: 5 }, () => keywordOf(words[below(3000)] as string)),
    referenced_works: [...cited],
  };
}

function authorOf(below: Drawn["below"], words: readonly string[]) {
  const who = below(600_000);
  const name = `${words[who % 7919]} ${words[who % 7789]}`;
  const place = who % 4000;
  return {
    author: {
      id: `${site}A${5_000_000 + who}`,
      display_name: name,
      orcid: who % 3 === 0 ? `https://orcid.org/0000-0001-${String(who).padStart(8, "0")}` : null,
    },
    raw_author_name: name,
    institutions: [
      {
        id: `${site}I${100_000 + place}`,
        display_name: `University of ${words[place]}`,
        ror: `https://ror.org/0${place}`,
        country_code: ["ES", "AR", "DE", "US", "BR"][place % 5],
      },
    ],
  };
}

const keywordOf = (word: string) => ({ id: `${site}keywords/${word}`, display_name: word, score: 0.5 });

/** Words of the abstract with their places; written by hand, since this is most of a line. */
function indexOf({ below, words }: Drawn): string {
  // Steps that meet no word twice: the number of words has only 2 and 5 as factors.
  const [start, step] = [below(words.length), 3 ** (1 + below(6))];
  let index = "";
  for (let place = 0; place < abstractWords; place += 1)
    index += `${place === 0 ? "" : ","}"${words[(start + place * step) % words.length]}":[${place}]`;
  return index;
}
