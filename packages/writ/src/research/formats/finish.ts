import { createHash } from "node:crypto";
import { normaliseDoi, normaliseText } from "../library/identity.ts";
import { type Authorship, limits, type SourceWord, type Work } from "../model.ts";
import { cutText } from "../sources/texts.ts";
import { languageFrom } from "./places.ts";
import type { Draft, DraftAuthor, Tell } from "./reader.ts";
import { oneLine, orNull } from "./texts.ts";

/**
 * The work that an entry tells of, its texts plain and within their bounds; undefined without a title. Its key
 * is the record's own id where the format has one, else a hash of all it says: the same entry is the same
 * record in whatever file, and the exports of two databases stay two records.
 */
export function finish(
  source: SourceWord,
  draft: Draft,
  tell: (code: Parameters<Tell>[0]) => void,
): Work | undefined {
  const title = orNull(draft.title);
  if (title === null) return undefined;
  const cut = () => tell("W_CUT");
  const doi = normaliseDoi(draft.doi);
  if (doi === null && orNull(draft.doi) !== null) tell("W_DOI_INVALID");
  const { decision, note, ...said } = draft;
  const work: Omit<Work, "sourceKey"> = {
    source,
    sourceId: orNull(said.sourceId),
    doi,
    ids: said.ids ?? [],
    title: cutText(title, limits.title, cut),
    year: said.year ?? null,
    publicationDate: said.publicationDate ?? null,
    abstract: bounded(said.abstract, cut),
    venue: orNull(said.venue),
    language: languageFrom(orNull(said.language)),
    publisher: orNull(said.publisher),
    researchAreas: said.researchAreas ?? [],
    type: said.type ?? null,
    citedByCount: said.citedByCount ?? null,
    isRetracted: said.isRetracted ?? null,
    authorships: authorships(said.authors ?? [], cut),
    keywords: (said.keywords ?? []).flatMap((word) => {
      const name = orNull(word);
      return name === null ? [] : [{ id: null, name, score: null }];
    }),
    references: [],
    otherReferences: said.otherReferences ?? [],
    volume: orNull(said.volume),
    issue: orNull(said.issue),
    pages: orNull(said.pages),
    issn: orNull(said.issn),
    url: orNull(said.url),
  };
  return {
    ...work,
    sourceKey: work.sourceId ?? hashOf(work),
    ...(decision && { decision }),
    ...(note !== undefined && orNull(note) !== null && { note: oneLine(note) }),
  };
}

function hashOf(work: Omit<Work, "sourceKey">): string {
  return createHash("sha256").update(JSON.stringify(work)).digest("hex").slice(0, 32);
}

function bounded(abstract: string | null | undefined, cut: () => void): string | null {
  const text = orNull(abstract);
  return text === null ? null : cutText(text, limits.abstract, cut);
}

/** Ids only where the file gives some: then each author has one, the name where there is no other. */
function authorships(authors: readonly DraftAuthor[], cut: () => void): Authorship[] {
  if (authors.length > limits.authors) cut();
  const named = authors.slice(0, limits.authors).flatMap((author) => {
    const name = orNull(author.name);
    return name === null ? [] : [{ ...author, name }];
  });
  const known = named.some(({ orcid }) => orcid);
  return named.map(({ name, orcid, institutions }, pos) => ({
    pos,
    name,
    id: known ? normaliseText(orcid ?? name) : null,
    openalex: null,
    orcid: orcid ?? null,
    institutions: institutions ?? [],
  }));
}
