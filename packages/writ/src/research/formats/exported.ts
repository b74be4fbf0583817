import type { Database } from "../library/database.ts";
import { scopeSql } from "../library/scope.ts";
import type { Decision, Scope, WorkType } from "../model.ts";

/** A paper as bibliographic formats tell of it. */
export interface Exported {
  id: string;
  source_id: string | null;
  doi: string | null;
  title: string;
  year: number | null;
  /** YYYY-MM-DD. */
  date: string | null;
  abstract: string | null;
  venue: string | null;
  language: string | null;
  publisher: string | null;
  type: WorkType | null;
  authors: string[];
  keywords: string[];
  volume: string | null;
  issue: string | null;
  pages: string | null;
  issn: string | null;
  url: string | null;
  decision: Decision | null;
  note: string | null;
}

/** Which papers: those of a scope, or of it and the rejected ones. */
export interface Selection {
  scope: Scope;
  includeRejected?: boolean;
}

/** The last note on each paper, as rows (paper_id, note). */
export const notesSql = `
  SELECT d.paper_id, arg_max(d.note, {t: d.decided_at, seq: d.seq}) AS note
  FROM decisions d JOIN runs r USING (run_id) WHERE r.revoked_by IS NULL AND d.note IS NOT NULL
  GROUP BY d.paper_id`;

/** The papers of a selection by id, in batches; memory does not grow with the library. */
export async function* exportedPapers(db: Database, selection: Selection): AsyncGenerator<Exported[]> {
  const where = scopeSql(selection.scope, { as: "p", includeRejected: selection.includeRejected === true });
  yield* db.stream<Exported>(`
    SELECT p.id, p.source_id, p.doi, p.title, p.year, CAST(p.publication_date AS VARCHAR) AS date, p.abstract,
      p.source AS venue, p.language, p.publisher, p.type, coalesce(p.authors_raw, []) AS authors,
      coalesce(p.keywords_raw, []) AS keywords, p.volume, p.issue, p.pages, p.issn, p.url,
      nullif(p.curation_status, 'candidate') AS decision, n.note
    FROM papers p LEFT JOIN (${notesSql}) n ON n.paper_id = p.id WHERE ${where} ORDER BY p.id`);
}
