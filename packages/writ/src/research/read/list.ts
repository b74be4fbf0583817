import { type Context, fail } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import type { Database, Row } from "../library/database.ts";
import { readLibrary } from "../library/use.ts";
import { commandOf } from "../sources/run.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { drill } from "./drill.ts";
import { fields, fieldsOf } from "./fields.ts";
import { type ListRequest, type Query, queryOf } from "./list-query.ts";

export type { ListRequest } from "./list-query.ts";

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
  // What came at once, and whole, need not be counted again.
  const isWhole = request.cursor === undefined && (limit === undefined || rows.length <= limit);
  const total = isWhole ? rows.length : await totalOf(db, query);
  const papers = fitting((limit === undefined ? rows : rows.slice(0, limit)).map(withoutKeys), bound);
  const last = rows[papers.length - 1];
  return {
    papers,
    count: papers.length,
    total,
    ...(rows.length > papers.length &&
      last && { next_cursor: writeCursor(request.sort, last._key, last._id) }),
    ...drilled?.answer,
    ...(papers.length === 0 && (drilled?.empty ?? emptiness(total, request))),
  };
}

/** How many papers are like it; what is joined to them adds and takes away none. */
async function totalOf(db: Database, { where, whereValues }: Query): Promise<number> {
  const row = await db.row<{ n: number }>(`SELECT count(*) AS n FROM papers p WHERE ${where}`, whereValues);
  return row?.n ?? 0;
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

function conflicting(inputs: string[]) {
  return fail("E_CONFLICTING_INPUT", {
    message: `--${inputs[0]} and --${inputs[1]} exclude each other.`,
    cause: "A list shows one or the other.",
    remediation: `Give one of them: writ research read list --${inputs[0]}`,
    details: { inputs },
  });
}
