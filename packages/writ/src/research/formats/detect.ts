import type { ImportFormat } from "./reader.ts";

/** How much of a file its format is told from. */
export const headSize = 64 * 1024;

const openAlexId = /"id"\s*:\s*"https?:\/\/(?:api\.)?openalex\.org\/(?:works\/)?W\d/i;

// In this order: an abstract may hold what looks like a BibTeX entry, never the other way round.
const signs: readonly [format: ImportFormat, holds: (head: string) => boolean][] = [
  ["openalex", (head) => head.startsWith("{") && openAlexId.test(head)],
  ["csl-json", (head) => /^[[{]/.test(head) && /"type"\s*:/.test(head) && /"title"\s*:/.test(head)],
  ["pubmed", (head) => /^PMID ?- /m.test(head)],
  [
    "wos",
    (head) => /^(?:FN |PT [A-Z]\s*$)/m.test(head) && (/^ER\s*$/m.test(head) || head.length >= headSize / 2),
  ],
  ["ris", (head) => /^TY {1,2}- /m.test(head)],
  ["scopus", (head) => isScopus(head.slice(0, head.search(/\n|$/)))],
  ["bibtex", (head) => /@\s*[A-Za-z]+\s*[{(]/.test(head)],
];

/** The format of a file, from its beginning; undefined when it is none of ours. */
export function detectFormat(head: string): ImportFormat | undefined {
  const text = head.trimStart();
  return signs.find(([, holds]) => holds(text))?.[0];
}

function isScopus(header: string): boolean {
  const names = header.split(/[,;\t]/).map((name) => name.trim().replaceAll('"', ""));
  return names.includes("EID") && names.includes("Source title");
}
