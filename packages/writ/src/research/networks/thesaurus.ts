import { fail } from "../../contract/index.ts";
import type { Database } from "../library/database.ts";
import { normaliseText } from "../library/identity.ts";
import { limits } from "../model.ts";

/** Texts, normalised, and the canon each stands for; a canon stands for itself. */
export interface Thesaurus {
  canons: ReadonlyMap<string, string>;
}

export interface ActiveThesaurus extends Thesaurus {
  /** When it was loaded. */
  appliedAt: string;
}

/**
 * Reads a thesaurus: JSON `{"concepts": {"<canon>": {"aliases_en": […]}}}`, or VOSviewer's tab-separated `label`,
 * `replace by`. Throws E_THESAURUS, E_LIMIT.
 */
export function parseThesaurus(text: string, file: string): Thesaurus {
  const canons = new Map<string, string>();
  const add = (alias: string, canon: string) => {
    const key = normaliseText(alias);
    if (key === "" || canon.trim() === "") return;
    const known = canons.get(key);
    if (known !== undefined && known !== canon) throw ambiguous(file, { alias, canons: [known, canon] });
    canons.set(key, canon);
    if (canons.size > limits.thesaurusAliases) throw tooMany(file);
  };
  for (const [canon, aliases] of entriesOf(text, file)) {
    add(canon, canon);
    for (const alias of aliases) add(alias, canon);
  }
  return { canons };
}

function entriesOf(text: string, file: string): Iterable<[canon: string, aliases: string[]]> {
  return text.trimStart().startsWith("{") ? jsonEntries(text, file) : tabEntries(text, file);
}

function jsonEntries(text: string, file: string): [string, string[]][] {
  const concepts = readConcepts(text);
  if (!isObject(concepts)) throw broken(file, 'it has no object "concepts"');
  return Object.entries(concepts).map(([canon, concept]) => {
    if (!isObject(concept)) throw broken(file, `the concept "${canon}" is no object`);
    const aliases = Object.entries(concept)
      .filter(([key]) => key.startsWith("aliases_"))
      .flatMap(([key, list]) => {
        if (!Array.isArray(list) || list.some((one) => typeof one !== "string"))
          throw broken(file, `${key} of "${canon}" is no list of texts`);
        return list as string[];
      });
    return [canon, aliases];
  });
}

function readConcepts(text: string): unknown {
  try {
    return (JSON.parse(text) as Record<string, unknown>).concepts;
  } catch {
    return undefined;
  }
}

/** VOSviewer's form: a head line, then what is written and what it is replaced by. */
function tabEntries(text: string, file: string): [string, string[]][] {
  const [head = "", ...lines] = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  const names = head.split("\t").map((name) => name.trim().toLowerCase());
  const [label, by] = [names.indexOf("label"), names.indexOf("replace by")];
  if (label === -1 || by === -1)
    throw broken(file, 'it is neither JSON nor a table of "label" and "replace by"');
  return lines
    .map((line) => line.split("\t"))
    .filter((cells) => (cells[label] ?? "").trim() !== "" && (cells[by] ?? "").trim() !== "")
    .map((cells) => [(cells[by] ?? "").trim(), [cells[label] ?? ""]]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const remediation =
  'Write {"concepts": {"graphs": {"aliases_en": ["graph theory", "network"]}}}, or a table of label and replace by.';

function broken(file: string, cause: string) {
  return fail("E_THESAURUS", {
    message: `${file} is no thesaurus: ${cause}.`,
    cause: `In ${file} ${cause}.`,
    remediation,
    details: { file },
  });
}

function ambiguous(file: string, { alias, canons }: { alias: string; canons: string[] }) {
  return fail("E_THESAURUS", {
    message: `${file} lets "${alias}" stand for "${canons[0]}" and for "${canons[1]}".`,
    cause: "An alias can stand for one concept only.",
    remediation: `Take "${alias}" away from one of the two, then run the command again.`,
    details: { file, alias, canons },
  });
}

function tooMany(file: string) {
  return fail("E_LIMIT", {
    message: `${file} has more than ${limits.thesaurusAliases} aliases.`,
    cause: "A thesaurus is held in memory.",
    remediation: "Leave out aliases that no paper uses, then run the command again.",
    details: { file, limit: limits.thesaurusAliases },
  });
}

/** The thesaurus in force: that of the newest build that loaded one, unless a later build switched it off. */
export async function activeThesaurus(db: Database): Promise<ActiveThesaurus | undefined> {
  const run = await db.row<{ run_id: string; ended_at: Date }>(
    `SELECT run_id, ended_at FROM runs
     WHERE verb = 'build' AND state = 'done' AND revoked_by IS NULL AND (params->>'thesaurus') IS NOT NULL
     ORDER BY seq DESC LIMIT 1`,
  );
  if (!run) return undefined;
  const rows = await db.rows<{ alias: string; canon: string }>(
    "SELECT alias, canon FROM entity_map WHERE kind = 'thesaurus' AND run_id = ?",
    [run.run_id],
  );
  if (rows.length === 0) return undefined;
  return {
    canons: new Map(rows.map(({ alias, canon }) => [alias, canon])),
    appliedAt: run.ended_at.toISOString(),
  };
}
