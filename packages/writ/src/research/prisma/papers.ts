import type { Database, Row } from "../library/database.ts";

const records = (where: string) =>
  `SELECT source || ':' || source_key AS record, paper_id AS paper, way FROM prisma_records WHERE ${where} ORDER BY ALL`;
const papers = (where: string) => `SELECT id AS paper, way FROM prisma_papers WHERE ${where} ORDER BY ALL`;
const excluded = "SELECT id AS paper, way, reason FROM prisma_papers WHERE status = 'rejected'";

/** What stands behind each box, as queries over what `prepareFlow` left. */
const behind = {
  identified: records("true"),
  duplicates: records("duplicate"),
  without_title: "SELECT source || ':' || key AS entry, way FROM prisma_untitled ORDER BY ALL",
  screened: papers("true"),
  excluded: `${excluded} ORDER BY ALL`,
  awaiting: papers("status = 'candidate'"),
  included: papers("status = 'accepted'"),
} as const;
const behindReports = {
  reports_sought: papers("status = 'accepted' OR stage <> 'screening'"),
  reports_not_retrieved: papers("stage = 'not_retrieved'"),
  reports_assessed: papers("status = 'accepted' OR stage = 'fulltext'"),
  reports_excluded: `${excluded} AND stage = 'fulltext' ORDER BY ALL`,
} as const;

/** What stands behind each number, as the text of one JSON object, in pieces; a list of any length takes no memory. */
export async function* behindText(db: Database, options: { reports: boolean }): AsyncGenerator<string> {
  let isFirst = true;
  yield "{";
  for (const [box, sql] of Object.entries({ ...behind, ...(options.reports && behindReports) })) {
    yield `${isFirst ? "" : ","}\n    ${JSON.stringify(box)}: [`;
    isFirst = false;
    yield* listText(db.stream(sql));
    yield "]";
  }
  yield "\n  }";
}

async function* listText(batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of batches) {
    const lines = rows.map((row) => `\n      ${JSON.stringify(row)}`).join(",");
    if (rows.length > 0) yield isFirst ? lines : `,${lines}`;
    isFirst &&= rows.length === 0;
  }
  if (!isFirst) yield "\n    ";
}
