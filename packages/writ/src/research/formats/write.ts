import type { Database } from "../library/database.ts";
import { writePieces } from "../export/text-file.ts";
import type { Scope } from "../model.ts";
import { baseKey, createKeys } from "./bibtex-keys.ts";
import { type Exported, exportedPapers, type Selection } from "./exported.ts";

/** The formats in which papers can be written. */
export const exportFormats = ["bibtex", "ris", "csl-json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

const fileNames: Readonly<Record<ExportFormat, string>> = {
  bibtex: "papers.bib",
  ris: "papers.ris",
  "csl-json": "papers.json",
};

/** Writes the papers of a scope, by id, into one file of the folder `target`; memory does not grow with them. */
export async function writeBibliography(
  db: Database,
  options: { format: ExportFormat; scope: Scope; includeRejected?: boolean; target: string },
): Promise<{ files: string[]; papers: number }> {
  const path = `${options.target}/${fileNames[options.format]}`;
  const counter = { papers: 0 };
  const text = bibliography(db, options.format, { ...options, count: (n) => (counter.papers += n) });
  await writePieces(path, text);
  return { files: [path], papers: counter.papers };
}

/** The text of a bibliography, in pieces. */
async function* bibliography(
  db: Database,
  format: ExportFormat,
  selection: Selection & { count?: (papers: number) => void },
): AsyncGenerator<string> {
  const parts = await partsOf(db, format, selection);
  let first = true;
  yield parts.begin;
  for await (const papers of exportedPapers(db, selection)) {
    let text = "";
    for (const paper of papers) {
      text += (first ? "" : parts.between) + parts.of(paper);
      first = false;
    }
    selection.count?.(papers.length);
    yield text;
  }
  yield parts.end;
}

interface Parts {
  begin: string;
  between: string;
  end: string;
  of(paper: Exported): string;
}

async function partsOf(db: Database, format: ExportFormat, selection: Selection): Promise<Parts> {
  switch (format) {
    case "bibtex": {
      const { bibtexEntry } = await import("./write-bibtex.ts");
      const counts = new Map<string, number>();
      for await (const papers of exportedPapers(db, selection)) {
        for (const key of papers.map(baseKey)) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      const keyOf = createKeys(counts);
      return { begin: "", between: "", end: "", of: (paper) => bibtexEntry(paper, keyOf(baseKey(paper))) };
    }
    case "ris": {
      const { risRecord } = await import("./write-ris.ts");
      return { begin: "", between: "", end: "", of: risRecord };
    }
    case "csl-json": {
      const { cslItem } = await import("./write-csl.ts");
      return { begin: "[\n", between: ",\n", end: "\n]\n", of: cslItem };
    }
  }
}
