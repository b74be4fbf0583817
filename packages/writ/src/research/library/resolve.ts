import { fail, nearest } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import type { Database } from "./database.ts";
import { normaliseDoi, trim } from "./identity.ts";
import { engineOf } from "./record.ts";

/** What the texts that were given as ids turned out to be. */
export interface ResolvedIds {
  /** Text as given -> id of the paper as it is now. */
  found: Map<string, string>;
  missing: string[];
}

/**
 * Which papers the texts name: any id a paper ever had, its DOI in any spelling, or its id at a source, in this
 * order. A merged paper's id gives the paper it was merged into; one of an undone run gives itself, inactive.
 */
export async function resolveIds(db: Database, texts: readonly string[]): Promise<ResolvedIds> {
  const asked = [...new Set(texts)];
  const rows = await db.rows<{ name: string; id: string }>(names, [asked.map(trim)]);
  const byName = new Map(rows.map(({ name, id }) => [name, id]));
  const found = new Map<string, string>();
  for (const text of asked) {
    const id = byName.get(trim(text));
    if (id !== undefined) found.set(text, id);
  }
  const others = asked.filter((text) => !found.has(text));
  if (others.length > 0) for (const [text, id] of await byExternalId(db, others)) found.set(text, id);
  return { found, missing: asked.filter((text) => !found.has(text)) };
}

// Any id that a paper has, would have by one of its records, or had.
const names = `
  WITH asked AS (SELECT unnest(CAST($1 AS VARCHAR[])) AS name)
  SELECT name, arg_min(id, {rank: rank, id: id}) AS id FROM (
    SELECT a.name, p.id, 0 AS rank FROM asked a JOIN papers p ON p.id = a.name WHERE p.active
    UNION ALL SELECT a.name, p.merged_into, 1 FROM asked a JOIN papers p ON p.id = a.name
      WHERE NOT p.active AND p.merged_into IS NOT NULL
    UNION ALL SELECT a.name, r.paper_id, 2 FROM asked a JOIN record_papers r ON r.own_id = a.name
    UNION ALL SELECT a.name, o.paper_id, 3 FROM asked a JOIN aliases o ON o.old_id = a.name
      JOIN papers p ON p.id = o.paper_id AND p.active
    UNION ALL SELECT a.name, p.id, 4 FROM asked a JOIN papers p ON p.id = a.name
    UNION ALL SELECT a.name, o.paper_id, 5 FROM asked a JOIN aliases o ON o.old_id = a.name)
  GROUP BY name`;

async function byExternalId(db: Database, texts: readonly string[]): Promise<Map<string, string>> {
  const keys = new Map<string, { engine: string; value: string }[]>();
  for (const text of texts) {
    const doi = normaliseDoi(text);
    const bare = trim(text).replace(/^https?:\/\/(?:api\.)?openalex\.org\/(?:works\/)?/i, "");
    const own = /^w\d+$/i.test(bare) ? { engine: "openalex", value: bare.toUpperCase() } : engineOf(bare);
    keys.set(text, [...(doi === null ? [] : [{ engine: "doi", value: doi }]), own]);
  }
  const asked = [...keys.values()].flat();
  const rows = await db.rows<{ engine: string; value: string; id: string }>(
    `SELECT engine, value, min(paper_id) AS id FROM (SELECT DISTINCT unnest($1) AS engine, unnest($2) AS value)
     JOIN external_ids USING (engine, value) GROUP BY engine, value`,
    [asked.map(({ engine }) => engine), asked.map(({ value }) => value)],
  );
  const nameOf = ({ engine, value }: { engine: string; value: string }) => `${engine}:${value}`;
  const byKey = new Map(rows.map((row) => [nameOf(row), row.id]));
  return new Map(
    [...keys].flatMap(([text, candidates]) => {
      const id = candidates.map((one) => byKey.get(nameOf(one))).find((one) => one !== undefined);
      return id === undefined ? [] : [[text, id] as const];
    }),
  );
}

/**
 * The papers that the texts name, in their order and each once. Throws E_NOT_FOUND, with all that are missing; where
 * `repeat` is the command and flag that take one name each, it says so of names that were joined by commas.
 */
export async function requireIds(db: Database, texts: readonly string[], repeat?: string): Promise<string[]> {
  const { found, missing } = await resolveIds(db, texts);
  if (repeat !== undefined) await refuseJoined(db, { texts, missing, repeat });
  if (missing.length > 0) throw await notFound(db, missing);
  return [...new Set(texts.flatMap((text) => found.get(text) ?? []))];
}

/** Throws E_NOT_FOUND for a text that is no name, but is several of them with commas between. */
async function refuseJoined(
  db: Database,
  of: { texts: readonly string[]; missing: readonly string[]; repeat: string },
): Promise<void> {
  const partsOf = (text: string) => text.split(",").flatMap((part) => trim(part) || []);
  for (const text of of.missing) {
    const parts = partsOf(text);
    if (parts.length < 2 || (await resolveIds(db, parts)).found.size === 0) continue;
    const all = of.texts.flatMap((one) => (of.missing.includes(one) ? partsOf(one) : [one]));
    const [command, flag] = of.repeat.split(" --");
    throw fail("E_NOT_FOUND", {
      message: `No paper has the id "${text.slice(0, 200)}".`,
      cause: `--${flag} takes one id and is repeated; this is ${parts.length} with commas between them.`,
      remediation: `${command}${all.map((one) => ` --${flag} ${quote(one)}`).join("")}`,
      details: { missing: of.missing.slice(0, 100), nearest: [] },
    });
  }
}

/** E_NOT_FOUND for ids that no paper has, with the papers whose titles or ids come nearest. */
export async function notFound(db: Database, missing: readonly string[]) {
  const near = await nearestPapers(db, missing[0] ?? "");
  return fail("E_NOT_FOUND", {
    message:
      missing.length === 1
        ? `No paper has the id "${(missing[0] ?? "").slice(0, 200)}".`
        : `${missing.length} ids are of no paper in the library.`,
    cause: near[0]
      ? `The nearest is "${near[0].title.slice(0, 120)}" (${near[0].id}).`
      : "An id is a paper's own, its DOI, or its id at a source.",
    remediation: "Look for it by title: writ research read list --query WORDS",
    details: { missing: missing.slice(0, 100), nearest: near },
  });
}

/** The papers whose title shares most words with a text, or whose id is a letter or two away. */
async function nearestPapers(db: Database, text: string): Promise<{ id: string; title: string }[]> {
  const words = trim(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3);
  const byTitle =
    words.length === 0
      ? []
      : await db.rows<{ id: string; title: string }>(
          `SELECT id, title FROM (SELECT id, title, len(list_filter(CAST($1 AS VARCHAR[]),
             lambda w: contains(lower(title), w))) AS hits FROM papers WHERE active)
           WHERE hits > 0 ORDER BY hits DESC, id LIMIT 3`,
          [words.slice(0, 20)],
        );
  if (byTitle.length > 0) return byTitle;
  const some = await db.rows<{ id: string; name: string; title: string }>(
    `SELECT p.id, e.value AS name, p.title FROM external_ids e JOIN papers p ON p.id = e.paper_id AND p.active
     WHERE abs(len(e.value) - len($1)) < 3 ORDER BY levenshtein(e.value, $1), e.value LIMIT 1`,
    [text.slice(0, 200)],
  );
  const close = nearest(
    text,
    some.map(({ name }) => name),
  );
  return some.filter(({ name }) => name === close).map(({ id, title }) => ({ id, title }));
}
