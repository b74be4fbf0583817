import { type Context, fail } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import type { Database, Row, Value } from "../library/database.ts";
import { normaliseText } from "../library/identity.ts";
import { citationsSql, scentSql } from "../library/scent.ts";
import { readLibrary } from "../library/use.ts";
import { commandOf } from "../sources/run.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { fields, fieldsOf } from "./fields.ts";
import { type Drilled, drill } from "./drill.ts";

export type SortWord = "appearance" | "scent" | "year" | "cited" | "id";

export interface ListRequest {
  query?: string;
  text?: string;
  status?: string;
  seeds: boolean;
  candidates: boolean;
  year?: number;
  language?: string;
  type?: string;
  run?: string;
  network?: string;
  cluster?: number;
  edge: readonly string[];
  fields: readonly string[];
  sort: SortWord;
  limit?: number;
  cursor?: string;
}

/** How much an agent gets at a time: rows, and characters of the papers as they are told. */
interface Bound {
  rows: number;
  characters: number;
}

const clientBound: Bound = { rows: 1000, characters: 40_000 };
/** Agents that Writ runs have the bound of any tool's answer. */
const agentBound: Bound = { rows: 1000, characters: 8000 };
const agentPage = 100;

function boundOf({ role, actor }: Context["caller"]): Bound | undefined {
  if (role !== "agent") return undefined;
  return actor.startsWith("agent:") ? agentBound : clientBound;
}

/** Papers of the library that are like what was asked. */
export async function listPapers(ctx: Context, request: ListRequest) {
  if (request.seeds && request.candidates) throw conflicting(["seeds", "candidates"]);
  if (request.edge.length > 0 && request.cluster !== undefined) throw conflicting(["edge", "cluster"]);
  const names = fieldsOf(request.fields);
  const data = await readLibrary(ctx, (db) => list(ctx, db, { ...request, fields: names }));
  const { next_cursor: cursor } = data;
  return cursor === undefined ? data : { ...data, next: [nextPage(request, cursor)] };
}

async function list(ctx: Context, db: Database, request: ListRequest) {
  const drilled = await drill(ctx, db, request);
  const query = await queryOf(db, request, drilled);
  const total = await db.row<{ n: number }>(
    `SELECT count(*) AS n FROM ${query.from} WHERE ${query.where}`,
    query.values,
  );
  const bound = boundOf(ctx.caller);
  const limit = bound ? Math.min(request.limit ?? agentPage, bound.rows) : request.limit;
  const values = [...query.values];
  let after = "";
  if (request.cursor !== undefined) {
    const { key, id } = readCursor(request.cursor, request.sort);
    values.push(key, id);
    after = ` AND (${query.key}, p.id) > ($${values.length - 1}, $${values.length})`;
  }
  const rows = await db.rows<Row & { _key: number; _id: string }>(
    `SELECT ${request.fields.map((name) => `${fields[name]?.sql ?? "NULL"} AS "${name}"`).join(", ")},
       ${query.key} AS _key, p.id AS _id FROM ${query.from} WHERE ${query.where}${after} ORDER BY _key, _id
       ${limit === undefined ? "" : `LIMIT ${limit + 1}`}`,
    values,
  );
  const papers = fitting((limit === undefined ? rows : rows.slice(0, limit)).map(withoutKeys), bound);
  const last = rows[papers.length - 1];
  return {
    papers,
    count: papers.length,
    total: total?.n ?? 0,
    ...(rows.length > papers.length &&
      last && { next_cursor: writeCursor(request.sort, last._key, last._id) }),
    ...drilled?.answer,
    ...(papers.length === 0 && (drilled?.empty ?? emptiness(total?.n ?? 0, request))),
  };
}

/** Whole papers, as many as fit, and one in any case. */
function fitting(papers: Row[], bound: Bound | undefined): Row[] {
  if (!bound) return papers;
  let left = bound.characters;
  const over = papers.findIndex((paper) => (left -= JSON.stringify(paper).length) < 0);
  return over === -1 ? papers : papers.slice(0, Math.max(over, 1));
}

/** The same list behind this page. */
function nextPage({ edge, ...request }: ListRequest, cursor: string): string {
  const line = commandOf(["research", "read", "list"], {
    ...request,
    ...(request.sort === "appearance" && { sort: undefined }),
    cursor,
  });
  return edge.length === 0 ? line : `${line} --edge ${edge.map(quote).join(" ")}`;
}

function withoutKeys(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== "_key" && name !== "_id"));
}

function emptiness(total: number, { cursor }: ListRequest): { reason: string; fix_command?: string } {
  if (total > 0) return { reason: cursor ? "There are no more papers." : "No paper was shown." };
  return {
    reason: "No active paper of the library is like that.",
    fix_command: "writ research read stats --group-by status",
  };
}

interface Query {
  from: string;
  where: string;
  values: Value[];
  /** What rows are ordered by, ascending, never null. */
  key: string;
}

async function queryOf(db: Database, request: ListRequest, drilled: Drilled | undefined): Promise<Query> {
  const needed = new Set(request.fields.map((name) => fields[name]?.needs));
  const values: Value[] = [];
  const bound = (value: Value): string => `$${values.push(value)}`;
  const conditions = ["p.active"];
  const { query, text, status, year, language, type, run } = request;
  const fold = (column: string) => `strip_accents(lower(${column}))`;
  if (query !== undefined) conditions.push(`contains(${fold("p.title")}, ${bound(normaliseText(query))})`);
  if (text !== undefined) {
    const wanted = bound(normaliseText(text));
    conditions.push(
      `(contains(${fold("p.title")}, ${wanted}) OR contains(${fold("coalesce(p.abstract, '')")}, ${wanted}))`,
    );
  }
  if (status !== undefined) conditions.push(`p.curation_status = ${bound(status)}`);
  if (request.seeds) conditions.push("p.is_seed");
  if (request.candidates) conditions.push("NOT p.is_seed AND p.curation_status = 'candidate'");
  if (year !== undefined) conditions.push(`p.year = ${bound(year)}`);
  if (language !== undefined) conditions.push(`p.language = ${bound(language.toLowerCase())}`);
  if (type !== undefined) conditions.push(`p.type = ${bound(type)}`);
  if (run !== undefined) {
    await requireRun(db, run);
    conditions.push(`p.id IN (SELECT r.paper_id FROM sightings s JOIN record_papers r USING (source, source_key)
      WHERE s.run_id = ${bound(run)})`);
  }
  if (drilled) conditions.push(`list_contains(${bound(drilled.papers)}, p.id)`);
  const joins = ["papers p"];
  if (needed.has("scent") || request.sort === "scent")
    joins.push(`LEFT JOIN (${scentSql()}) s ON s.id = p.id`);
  if (needed.has("local"))
    joins.push(`LEFT JOIN (SELECT cited, count(DISTINCT citing) AS n FROM (${citationsSql()})
      WHERE cited IS NOT NULL AND cited <> citing GROUP BY cited) l ON l.cited = p.id`);
  if (needed.has("community"))
    joins.push(
      drilled?.nodes
        ? `LEFT JOIN (SELECT id, community FROM read_parquet(${bound(drilled.nodes)})) c ON c.id = p.id`
        : "LEFT JOIN (SELECT NULL AS id, NULL AS community) c ON c.id = p.id",
    );
  if (request.sort === "appearance") joins.push("LEFT JOIN runs f ON f.run_id = p.first_run");
  return { from: joins.join(" "), where: conditions.join(" AND "), values, key: keys[request.sort] };
}

const keys: Readonly<Record<SortWord, string>> = {
  appearance: "CAST(coalesce(f.seq, 0) AS DOUBLE)",
  scent: "CAST(-coalesce(s.scent, 0) AS DOUBLE)",
  year: "CAST(-coalesce(p.year, -1e9) AS DOUBLE)",
  cited: "CAST(-coalesce(p.cited_by_count, -1) AS DOUBLE)",
  id: "CAST(0 AS DOUBLE)",
};

async function requireRun(db: Database, runId: string): Promise<void> {
  if (await db.row("SELECT 1 AS one FROM runs WHERE run_id = ?", [runId])) return;
  throw fail("E_NOT_FOUND", {
    message: `No run has the id "${runId.slice(0, 100)}".`,
    cause: "A run's id begins rr_ and is in the answer of the verb that ran.",
    remediation: "Count papers by the run that brought them: writ research read stats --group-by run",
    details: { missing: [runId.slice(0, 100)] },
  });
}

function conflicting(inputs: string[]) {
  return fail("E_CONFLICTING_INPUT", {
    message: `--${inputs[0]} and --${inputs[1]} exclude each other.`,
    cause: "A list shows one or the other.",
    remediation: `Give one of them: writ research read list --${inputs[0]}`,
    details: { inputs },
  });
}
