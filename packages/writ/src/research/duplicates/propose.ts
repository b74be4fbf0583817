import type { Database } from "../library/database.ts";
import { byScore, type DuplicateKind, duplicateKinds, type Proposal } from "./proposal.ts";
import { type Effort, proposeEntities } from "./propose-entities.ts";
import { countAlike, proposePapers } from "./propose-papers.ts";

/** All that may be one, vetoed pairs included, best first. Nothing is stored. */
export async function proposals(
  db: Database,
  kinds: readonly DuplicateKind[] = duplicateKinds,
  effort: Effort = { compared: 0 },
): Promise<Proposal[]> {
  const found: Proposal[] = [];
  for (const kind of kinds) {
    found.push(
      ...(kind === "paper" ? await proposePapers(db, effort) : await proposeEntities(db, kind, effort)),
    );
  }
  return found.toSorted(byScore);
}

/** How many pairs of papers may be one work, of those in which the run brought or changed a paper. */
export function possibleDuplicates(
  db: Database,
  run: string,
  effort: Effort = { compared: 0 },
): Promise<number> {
  return countAlike(db, effort, run);
}

/** How pairs are found, and which are not. */
export const method: Readonly<Record<DuplicateKind, string>> = {
  paper:
    "Titles without case, accents and punctuation that share the first four letters of a word, years at most one apart, the same family name of the first author or none. Missed: titles of which no word begins alike.",
  author:
    "Names that share the first four letters of the family name and the first initial. Missed: names that differ in either, such as a family name before a marriage.",
  institution:
    "Names that share the first four letters of two words. Missed: abbreviations and names in another language.",
  keyword: "Keywords that share the first four letters of a word. Missed: synonyms and abbreviations.",
};
