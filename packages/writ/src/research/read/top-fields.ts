import { fail, nearest } from "../../contract/index.ts";
import type { Row } from "../library/database.ts";
import type { Asked, Entry } from "./top-network.ts";

/** The fields asked for, by where they come from. */
export interface TopFields {
  ofNodes: string[];
  ofPapers: string[];
}

/** Reads the fields asked for. Throws USAGE_ERROR for one that neither papers nor nodes have. */
export async function topFields({ db, given, columns }: Asked): Promise<TopFields> {
  const fields = given.fields.flatMap((one) => one.split(",")).map((one) => one.trim());
  if (fields.length === 0) return { ofNodes: [], ofPapers: [] };
  const rows = await db.rows<{ column_name: string }>("DESCRIBE papers");
  const ofPaper = new Set(rows.map(({ column_name: name }) => name));
  const known = [...ofPaper, ...columns];
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown !== undefined) throw unknownField(unknown, known);
  return {
    ofNodes: fields.filter((field) => columns.has(field) && !ofPaper.has(field)),
    ofPapers: fields.filter((field) => ofPaper.has(field)),
  };
}

function unknownField(field: string, known: readonly string[]) {
  const near = nearest(field, known);
  return fail("USAGE_ERROR", {
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

/** The same entries with the fields; what an entry says itself stands. */
export async function withFields(
  { db, looked: { nodes } }: Asked,
  entries: readonly Entry[],
  { ofNodes, ofPapers }: TopFields,
): Promise<(entry: Entry) => Entry> {
  const ids = [...new Set(entries.map(({ id }) => id))];
  const more = new Map<string, Row>();
  const add = (rows: Row[]) => {
    for (const { id, ...rest } of rows) more.set(id as string, { ...more.get(id as string), ...rest });
  };
  const named = (names: readonly string[]) => names.map((name) => `, "${name}"`).join("");
  if (ofPapers.length > 0)
    add(
      await db.rows<Row>(
        `SELECT id${named(ofPapers.filter((name) => name !== "id"))} FROM papers WHERE id IN (SELECT unnest($1))`,
        [ids],
      ),
    );
  if (ofNodes.length > 0 && nodes)
    add(
      await db.rows<Row>(
        `SELECT id${named(ofNodes)} FROM (${nodes.sql}) WHERE id IN (SELECT unnest($${nodes.values.length + 1}))`,
        [...nodes.values, ids],
      ),
    );
  return (entry) => ({ ...more.get(entry.id), ...entry });
}
