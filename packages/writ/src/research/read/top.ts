import { type Context, fail, nearest } from "../../contract/index.ts";
import { type Readable, readingList } from "../analysis/reading.ts";
import { maturityOf } from "../builds/maturity.ts";
import type { Database, Row, Value } from "../library/database.ts";
import { totalPapers } from "../library/standing.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import type { NetworkKind } from "../model.ts";
import { findCitations } from "../networks/citations.ts";
import { kinds } from "../networks/kinds.ts";
import { selectPapers } from "../networks/papers.ts";
import { project } from "../networks/project.ts";
import { defaults, leastWeight, type NetworkSpec } from "../networks/spec.ts";
import { specSeed } from "../seed/fix.ts";
import { lacking } from "./lacking.ts";
import { look, type Looked } from "./looked.ts";
import type { TopData, TopInput } from "./top-shape.ts";

/** The papers, or other nodes, that stand out in a network; what to read, and in which order. */
export async function readTop(ctx: Context, given: TopInput): Promise<TopData> {
  check(given);
  return readLibrary(ctx, async (db) => {
    const looked = await look(db, rootOf(ctx), given);
    if (looked.stale)
      ctx.warn({
        code: "W_STALE",
        message: `${looked.name} was built from papers that have changed since.`,
        remediation: "writ research build",
      });
    const data = await new Top(db, given, looked).answer();
    const isBare = data.central.length === 0 && data.fix_command === undefined;
    if (!isBare || (await totalPapers({ db })) > 0) return data;
    return { ...data, fix_command: "writ research status", ...specSeed(ctx) };
  });
}

function check({ n }: TopInput): void {
  if (n >= 1) return;
  throw fail("E_INVALID_VALUE", {
    message: `-n ${n} makes no sense.`,
    cause: "A list has at least one entry.",
    remediation: "writ research read top -n 10",
    details: { flag: "-n", value: n, allowed: ">= 1" },
  });
}

const columnOf = {
  degree: "degree_centrality",
  strength: "strength",
  betweenness: "betweenness",
  pagerank: "pagerank",
  cited: "cited_by_count",
} as const;

type Entry = TopData["central"][number];

class Top {
  readonly #db: Database;
  readonly #given: TopInput;
  readonly #looked: Looked;
  /** What the order of reading is without. */
  #lacking: { reason: string; fix_command?: string } | undefined;

  constructor(db: Database, given: TopInput, looked: Looked) {
    this.#db = db;
    this.#given = {
      ...given,
      fields: given.fields.flatMap((one) => one.split(",")).map((one) => one.trim()),
    };
    this.#looked = looked;
  }

  async answer(): Promise<TopData> {
    const { n, by, by_community: byCommunity } = this.#given;
    const { name, kind, spec, stale } = this.#looked;
    const columns = await this.#columns();
    const fields = await this.#fields(columns);
    const central =
      by === "reading" ? await this.#reading(columns) : await this.#ranked(columnOf[by], columns);
    const groups = byCommunity ? await this.#groups(columns) : undefined;
    const absent = central.length === 0 ? await this.#absence(columns) : this.#lacking;
    const answered = await this.#withFields(
      [...central, ...(groups ?? []).flatMap(({ papers }) => papers)],
      fields,
    );
    return {
      kind,
      network: name,
      by,
      top: n,
      central: central.map((entry) => answered.get(entry) ?? entry),
      ...(groups && {
        groups: groups.map((group) => ({
          ...group,
          papers: group.papers.map((entry) => answered.get(entry) ?? entry),
        })),
      }),
      cocitation: await this.#cocitation(),
      ...absent,
      stale,
      maturity: await maturityOf(this.#db, { scope: spec.scope, empty: await this.#emptyKinds() }),
    };
  }

  async #columns(): Promise<Set<string>> {
    const { nodes } = this.#looked;
    if (!nodes) return new Set();
    const rows = await this.#db.rows<Row>(`${nodes.sql} LIMIT 1`, nodes.values);
    return new Set(Object.keys(rows[0] ?? {}));
  }

  /** The best by one measure, as SQL sorts them: ids in code-point order. */
  async #ranked(column: string, columns: ReadonlySet<string>, community?: number): Promise<Entry[]> {
    const { nodes } = this.#looked;
    if (!nodes || !columns.has(column)) return [];
    const within = community === undefined ? "" : ` AND community = ${Math.trunc(community)}`;
    const rows = await this.#db.rows<Row>(
      `SELECT id, label, degree_centrality, ${columns.has("community") ? "community," : ""} CAST(${column} AS DOUBLE) AS value
       FROM (${nodes.sql}) WHERE ${column} IS NOT NULL${within} ORDER BY value DESC, id LIMIT ${Math.trunc(this.#given.n)}`,
      nodes.values,
    );
    const titles = await this.#titles(rows.map(({ id }) => id as string));
    return rows.map((row) => ({
      id: row.id as string,
      title: titles.get(row.id as string) ?? (row.label as string),
      degree_centrality: row.degree_centrality as number,
      ...(typeof row.community === "number" && { community: row.community }),
      value: row.value as number,
    }));
  }

  async #groups(columns: ReadonlySet<string>): Promise<NonNullable<TopData["groups"]>> {
    const { nodes } = this.#looked;
    if (!nodes || !columns.has("community")) return [];
    const sizes = await this.#db.rows<{ community: number; size: number }>(
      `SELECT community, count(*) AS size FROM (${nodes.sql}) WHERE community IS NOT NULL GROUP BY community ORDER BY community`,
      nodes.values,
    );
    const { by } = this.#given;
    const column = by === "reading" ? "degree_centrality" : columnOf[by];
    const groups: NonNullable<TopData["groups"]> = [];
    for (const { community, size } of sizes)
      groups.push({ community, size, papers: await this.#ranked(column, columns, community) });
    return groups;
  }

  /** All papers of the network's scope, whether or not they are nodes of it. */
  async #reading(columns: ReadonlySet<string>): Promise<Entry[]> {
    const { nodes, spec, kind } = this.#looked;
    await findCitations(this.#db);
    await selectPapers(this.#db, spec);
    const isPaper = nodes !== undefined && kinds[kind].node === "paper";
    const beside = isPaper
      ? `LEFT JOIN (SELECT id, degree_centrality, ${columns.has("community") ? "community" : "NULL AS community"} FROM (${nodes.sql})) t ON t.id = p.id`
      : "LEFT JOIN (SELECT NULL AS id, NULL AS degree_centrality, NULL AS community) t ON t.id = p.id";
    const papers: (Readable & { centrality: number | null })[] = [];
    const rows = this.#db.stream<Row>(
      `SELECT p.id, p.year, p.cited_by_count, coalesce(c.local, 0) AS local, coalesce(s.scent, 0) AS scent, t.community, t.degree_centrality
       FROM net_papers JOIN papers p USING (id) LEFT JOIN net_scent s ON s.id = p.id
       LEFT JOIN (SELECT cited, count(*) AS local FROM net_cites SEMI JOIN net_papers ON net_papers.id = citing GROUP BY cited) c ON c.cited = p.id
       ${beside}`,
      isPaper ? nodes.values : [],
    );
    for await (const chunk of rows) {
      for (const row of chunk)
        papers.push({
          id: row.id as string,
          year: row.year as number | null,
          citedByCount: row.cited_by_count as number | null,
          localCitations: row.local as number,
          scent: row.scent as number,
          community: row.community as number | null,
          centrality: row.degree_centrality as number | null,
        });
    }
    this.#lacking = await lacking(this.#db, papers);
    const list = await readingList(papers, this.#given.n, (ids) => this.#citesOf(ids));
    const titles = await this.#titles(list.map(({ id }) => id));
    const centralities = new Map(papers.map(({ id, centrality }) => [id, centrality]));
    return list.map(({ id, priority, community, reasons }) => ({
      id,
      title: titles.get(id) ?? id,
      degree_centrality: centralities.get(id) ?? null,
      ...(community !== null && { community }),
      value: priority,
      reasons,
    }));
  }

  async #citesOf(ids: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.#db.rows<{ citing: string; cited: string }>(
      "SELECT citing, cited FROM net_cites WHERE citing IN (SELECT unnest($1)) AND cited IN (SELECT unnest($1))",
      [[...ids]],
    );
    const cites = new Map<string, string[]>();
    for (const { citing, cited } of rows) cites.set(citing, [...(cites.get(citing) ?? []), cited]);
    return cites;
  }

  async #titles(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#db.rows<{ id: string; title: string }>(
      "SELECT id, title FROM papers WHERE id IN (SELECT unnest($1))",
      [[...ids]],
    );
    return new Map(rows.map(({ id, title }) => [id, title]));
  }

  /** The fields asked for, by where they come from. Throws USAGE_ERROR for one that neither has. */
  async #fields(columns: ReadonlySet<string>): Promise<{ ofNodes: string[]; ofPapers: string[] }> {
    const { fields } = this.#given;
    if (fields.length === 0) return { ofNodes: [], ofPapers: [] };
    const rows = await this.#db.rows<{ column_name: string }>("DESCRIBE papers");
    const ofPaper = new Set(rows.map(({ column_name: name }) => name));
    const known = [...ofPaper, ...columns];
    for (const field of fields) {
      if (known.includes(field)) continue;
      const near = nearest(field, known);
      throw fail("USAGE_ERROR", {
        message: `There is no field "${field}"${near === undefined ? "" : `; did you mean "${near}"?`}`,
        cause: "A field is a column of papers, or a measure of the network.",
        remediation: "writ research read top --fields title,year",
        details: {
          field,
          ...(near !== undefined && { nearest: near }),
          allowed: [...new Set(known)].toSorted(),
        },
      });
    }
    return {
      ofNodes: fields.filter((field) => columns.has(field) && !ofPaper.has(field)),
      ofPapers: fields.filter((field) => ofPaper.has(field)),
    };
  }

  async #withFields(
    entries: readonly Entry[],
    { ofNodes, ofPapers }: { ofNodes: string[]; ofPapers: string[] },
  ): Promise<Map<Entry, Entry>> {
    const { nodes } = this.#looked;
    const ids = [...new Set(entries.map(({ id }) => id))];
    const more = new Map<string, Row>();
    const add = (rows: Row[]) => {
      for (const { id, ...rest } of rows) more.set(id as string, { ...more.get(id as string), ...rest });
    };
    const named = (names: readonly string[]) => names.map((name) => `, "${name}"`).join("");
    if (ofPapers.length > 0)
      add(
        await this.#db.rows<Row>(
          `SELECT id${named(ofPapers.filter((name) => name !== "id"))} FROM papers WHERE id IN (SELECT unnest($1))`,
          [ids],
        ),
      );
    if (ofNodes.length > 0 && nodes)
      add(
        await this.#db.rows<Row>(
          `SELECT id${named(ofNodes)} FROM (${nodes.sql}) WHERE id IN (SELECT unnest($${nodes.values.length + 1}))`,
          [...nodes.values, ids],
        ),
      );
    return new Map(entries.map((entry) => [entry, { ...more.get(entry.id), ...entry }]));
  }

  /** The strongest pairs of papers that are cited together, in the scope of the network. */
  async #cocitation(): Promise<TopData["cocitation"]> {
    const { cocitation, spec } = this.#looked;
    const most = Math.trunc(this.#given.n);
    const pairs = cocitation
      ? { sql: "SELECT source, target, weight FROM read_parquet($1)", values: [cocitation] }
      : await this.#cocitationNow(spec);
    if (!pairs) return [];
    return this.#db.rows(
      `SELECT e.source, s.title AS source_title, e.target, t.title AS target_title, weight
       FROM (SELECT * FROM (${pairs.sql}) ORDER BY weight DESC, source, target LIMIT ${most}) e
       JOIN papers s ON s.id = e.source JOIN papers t ON t.id = e.target ORDER BY weight DESC, e.source, e.target`,
      pairs.values,
    );
  }

  async #cocitationNow(spec: NetworkSpec): Promise<{ sql: string; values: Value[] } | undefined> {
    const { scope, includeRejected, keywords } = spec;
    const kind = "cocitation";
    const minWeight = leastWeight("full");
    const asked = {
      ...defaults,
      name: kind,
      kind,
      scope,
      includeRejected,
      keywords,
      minWeight,
      maxPairs: 5_000_000,
    } as const;
    const { made } = await project(this.#db, asked);
    if (!made) return undefined;
    return {
      sql: "SELECT a.id AS source, b.id AS target, weight FROM net_edges JOIN net_nodes a ON a.n = s JOIN net_nodes b ON b.n = t",
      values: [],
    };
  }

  async #absence(columns: ReadonlySet<string>): Promise<{ reason: string; fix_command?: string }> {
    const { absent, name } = this.#looked;
    const { by } = this.#given;
    if (absent) return absent;
    if (by === "reading") return { reason: "0 papers in scope" };
    if (!columns.has(columnOf[by]))
      return name === null
        ? {
            reason: `${by} is known of networks that are built, and none is`,
            fix_command: "writ research build",
          }
        : { reason: `nodes of ${name} have no ${by}` };
    return {
      reason: `${by} is not known of any node of ${name ?? "the network"}`,
      ...(by === "betweenness" || by === "pagerank"
        ? { fix_command: "writ research build --no-limits" }
        : {}),
    };
  }

  async #emptyKinds(): Promise<NetworkKind[]> {
    const rows = await this.#db.rows<{ kind: NetworkKind }>(
      `SELECT kind FROM (SELECT DISTINCT ON (b.name) b.kind, b.edges FROM builds b JOIN runs r USING (run_id)
         WHERE r.revoked_by IS NULL ORDER BY b.name, r.seq DESC) WHERE edges = 0 ORDER BY kind`,
    );
    return rows.map(({ kind }) => kind);
  }
}
