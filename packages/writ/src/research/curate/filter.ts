import { type Context, fail } from "../../contract/index.ts";
import { languageFrom } from "../formats/places.ts";
import { commitLibrary } from "../library/change.ts";
import type { Database } from "../library/database.ts";
import { decide } from "../library/tell.ts";
import { readLibrary } from "../library/use.ts";

/** What filter is given. */
export interface FilterInput {
  year_gte?: number | undefined;
  year_lte?: number | undefined;
  language: string[];
  type: string[];
  min_citations?: number | undefined;
  exclude_retracted: boolean;
  missing: "keep" | "exclude";
  wait: number;
}

export interface FilterStep {
  name: string;
  criteria: string;
  count_before: number;
  count_after: number;
  excluded: number;
  no_data: number;
  /** Papers that fail and were accepted by hand: they stay. */
  protected: number;
}

export interface Filtered {
  run_id: string | null;
  steps: FilterStep[];
  total_papers: number;
  criteria_applied: string[];
  loop_state: string | null;
  round: number;
  changed: boolean;
}

interface Criterion {
  field: string;
  /** `year:gte:2010`: what a rejected paper has as its reason, behind `filter:`. */
  criteria: string;
  column: string;
  /** Over `column`, which is not null there. */
  fails: string;
  values: (number | string[])[];
}

/** The criteria in the order in which they are applied. */
function criteriaOf(given: FilterInput): Criterion[] {
  const found: Criterion[] = [];
  const atLeast = (field: string, column: string, value: number | undefined) => {
    if (value === undefined) return;
    found.push({
      field,
      criteria: `${field}:gte:${value}`,
      column,
      fails: `${column} < $1`,
      values: [value],
    });
  };
  const among = (field: string, values: string[]) => {
    if (values.length === 0) return;
    const fails = `NOT list_contains(CAST($1 AS VARCHAR[]), ${field})`;
    found.push({
      field,
      criteria: `${field}:in:${values.join(",")}`,
      column: field,
      fails,
      values: [values],
    });
  };
  atLeast("year", "year", given.year_gte);
  if (given.year_lte !== undefined) {
    const criteria = `year:lte:${given.year_lte}`;
    found.push({ field: "year", criteria, column: "year", fails: "year > $1", values: [given.year_lte] });
  }
  among("language", [...new Set(given.language.map(languageOf))]);
  among("type", [...new Set(given.type)]);
  atLeast("citations", "cited_by_count", given.min_citations);
  if (given.exclude_retracted) {
    const criteria = "retracted:eq:false";
    found.push({ field: "retracted", criteria, column: "is_retracted", fails: "is_retracted", values: [] });
  }
  return found;
}

/** The code of a language. A word that is none would reject every paper of which the language is known. */
function languageOf(word: string): string {
  const code = languageFrom(word) ?? "";
  if (/^[a-z]{2,3}$/.test(code)) return code;
  throw fail("E_INVALID_VALUE", {
    message: `"${word}" is no language that is known.`,
    cause: "A language is given by its code, such as en, or its name in English.",
    remediation: "Give its code: writ research curate filter --language en --dry-run",
    details: { field: "language", value: word },
  });
}

/** Rejects what fails the criteria, one after the other; papers accepted by hand stay, and nothing is deleted. */
export async function filterPapers(ctx: Context, given: FilterInput): Promise<Filtered> {
  const criteria = criteriaOf(given);
  if (criteria.length === 0) throw noCriterion();
  const words = criteria.map((one) => one.criteria);
  const params = { criteria: words, missing: given.missing };
  if (ctx.dryRun) {
    const { steps, total } = await readLibrary(ctx, (db) => apply(db, criteria, given.missing), {
      wait: given.wait,
    });
    warnOfNoData(ctx, steps);
    return {
      run_id: null,
      steps,
      total_papers: total,
      criteria_applied: words,
      loop_state: null,
      round: 0,
      changed: true,
    };
  }
  return commitLibrary(ctx, { verb: "curate.filter", params, wait: given.wait }, async (change) => {
    const { db, run } = change;
    const { steps, total, rejected } = await apply(db, criteria, given.missing);
    warnOfNoData(ctx, steps);
    await decide(
      change,
      rejected.map(({ paper, reason }) => ({ paper, decision: "rejected", kind: "filter", reason })),
    );
    await db.append(
      "filter_log",
      ["run_id", "step", "name", "criteria", "count_before", "count_after", "excluded", "no_data"],
      steps.map((one, at) => [
        run.id,
        at,
        one.name,
        one.criteria,
        one.count_before,
        one.count_after,
        one.excluded,
        one.no_data,
      ]),
    );
    const { state, round } = await change.transition("filter");
    change.setCounts({ excluded: rejected.length });
    return {
      run_id: run.id,
      steps,
      total_papers: total,
      criteria_applied: words,
      loop_state: state,
      round,
      changed: true,
    };
  });
}

interface Applied {
  steps: FilterStep[];
  total: number;
  rejected: { paper: string; reason: string }[];
}

async function apply(
  db: Database,
  criteria: readonly Criterion[],
  missing: FilterInput["missing"],
): Promise<Applied> {
  await db.run(`CREATE OR REPLACE TEMP TABLE cur_left AS SELECT p.id, EXISTS (
      SELECT 1 FROM (SELECT arg_max(d.decision, {t: d.decided_at, seq: d.seq}) AS last FROM decisions d JOIN runs r USING (run_id)
        WHERE r.revoked_by IS NULL AND d.paper_id = p.id AND d.kind IN ('manual', 'import') AND d.decision IS NOT NULL)
      WHERE last = 'accepted') AS accepted
    FROM papers p WHERE p.active AND p.curation_status <> 'rejected'`);
  const steps: FilterStep[] = [];
  const rejected: Applied["rejected"] = [];
  for (const one of criteria) {
    const { step, failing } = await applyOne(db, one, missing);
    steps.push(step);
    rejected.push(...failing.map((paper) => ({ paper, reason: `filter:${one.criteria}` })));
  }
  const total = await db.row<{ n: number }>("SELECT count(*) AS n FROM papers WHERE active");
  return { steps, total: total?.n ?? 0, rejected };
}

async function applyOne(
  db: Database,
  { field, criteria, column, fails, values }: Criterion,
  missing: FilterInput["missing"],
): Promise<{ step: FilterStep; failing: string[] }> {
  const failing =
    missing === "exclude" ? `(${column} IS NULL OR ${fails})` : `(${column} IS NOT NULL AND ${fails})`;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE cur_step AS SELECT l.id, l.accepted, ${failing} AS fails, ${column} IS NULL AS unknown
     FROM cur_left l JOIN papers p ON p.id = l.id AND p.active`,
    values,
  );
  const counts = await db.row<{ before: number; unknown: number; kept: number }>(
    `SELECT count(*) AS before, count(*) FILTER (unknown) AS unknown, count(*) FILTER (fails AND accepted) AS kept FROM cur_step`,
  );
  const out = await db.rows<{ id: string }>(
    "SELECT id FROM cur_step WHERE fails AND NOT accepted ORDER BY id",
  );
  await db.run("DELETE FROM cur_left WHERE id IN (SELECT id FROM cur_step WHERE fails AND NOT accepted)");
  const before = counts?.before ?? 0;
  return {
    step: {
      name: `filter:${field}`,
      criteria,
      count_before: before,
      count_after: before - out.length,
      excluded: out.length,
      no_data: counts?.unknown ?? 0,
      protected: counts?.kept ?? 0,
    },
    failing: out.map(({ id }) => id),
  };
}

function warnOfNoData(ctx: Context, steps: readonly FilterStep[]): void {
  const blind = steps.filter((one) => one.count_before > 0 && one.no_data === one.count_before);
  if (blind.length === 0) return;
  ctx.warn({
    code: "W_NO_DATA",
    message: `No paper has what ${blind.map(({ criteria }) => criteria).join(" and ")} asks for.`,
    remediation: "Look up what is known of them: writ research seed --resolve",
  });
}

function noCriterion() {
  return fail("E_NO_CRITERION", {
    message: "A filter needs a criterion.",
    cause:
      "None of --year-gte, --year-lte, --language, --type, --min-citations and --exclude-retracted was given.",
    remediation: "Name one: writ research curate filter --year-gte 2010 --dry-run",
  });
}
