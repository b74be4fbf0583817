import { normaliseDoi, normaliseText } from "../../library/identity.ts";
import {
  type Engine,
  type ExternalId,
  limits,
  type OtherReference,
  type Skipped,
  type Work,
} from "../../model.ts";
import { day, type Fields, fields, integer, list, text } from "../json.ts";
import type { Remark } from "../port.ts";
import { cutText, noTitle, typeOf } from "../texts.ts";

type Tell = (code: Remark["code"], where: string) => void;

/** One paper as Semantic Scholar writes it. What has no title is no record. */
export function semanticScholarWork(json: unknown, tell: Tell = () => {}): Work | Skipped {
  const paper = fields(json);
  const id = text(paper.paperId);
  if (id === null) return { where: "?", reason: "It has no id." };
  const title = text(paper.title);
  if (title === null) return { where: id, reason: noTitle };
  const cut = () => tell("W_CUT", id);
  const known = fields(paper.externalIds);
  const doi = normaliseDoi(text(known.DOI));
  if (doi === null && text(known.DOI) !== null) tell("W_DOI_INVALID", id);
  const abstract = text(paper.abstract);
  const journal = fields(paper.journal);
  return {
    source: "semanticscholar",
    sourceKey: id,
    sourceId: `s2:${id}`,
    doi,
    ids: idsOf(id, known),
    title: cutText(title, limits.title, cut),
    year: integer(paper.year),
    publicationDate: day(paper.publicationDate),
    abstract: abstract === null ? null : cutText(abstract, limits.abstract, cut),
    venue: text(paper.venue) ?? text(journal.name),
    language: null,
    publisher: null,
    researchAreas: list(paper.fieldsOfStudy).flatMap((one) => text(one) ?? []),
    type: typeOf(text(list(paper.publicationTypes)[0])),
    citedByCount: integer(paper.citationCount),
    isRetracted: null,
    authorships: list(paper.authors)
      .slice(0, limits.authors)
      .flatMap((one) => text(fields(one).name) ?? [])
      .map((name, pos) => ({ pos, name, id: null, openalex: null, orcid: null, institutions: [] })),
    keywords: [],
    references: [],
    otherReferences: list(paper.references).flatMap((one) => referenceOf(fields(one))),
    volume: text(journal.volume),
    issue: null,
    pages: text(journal.pages),
    issn: null,
    url: text(paper.url),
  };
}

const engines: Readonly<Record<string, Engine>> = { PubMed: "pmid", ArXiv: "arxiv" };

function idsOf(own: string, known: Fields): ExternalId[] {
  return [
    { engine: "s2", value: own },
    ...Object.entries(engines).flatMap(([name, engine]) => {
      const value = text(known[name]);
      return value === null ? [] : [{ engine, value: engine === "arxiv" ? normaliseText(value) : value }];
    }),
  ];
}

function referenceOf(reference: Fields): OtherReference[] {
  const id = text(reference.paperId);
  const doi = normaliseDoi(text(fields(reference.externalIds).DOI));
  const raw = text(reference.title);
  if (id === null && doi === null && raw === null) return [];
  return [{ doi, id: id === null ? null : `s2:${id}`, raw }];
}
