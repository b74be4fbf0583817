import { type Check, type Context, fail, nearest } from "../../contract/index.ts";
import { counted } from "../../platform/index.ts";

/** What doctor answers. */
export interface Report {
  checks: Check[];
  summary: Record<Check["status"] | "fixed", number>;
  ok: boolean;
}

export interface ExamineOptions {
  check?: string;
  fix: boolean;
  offline?: boolean;
}

/** Runs the checks of every part, in the order of the parts. Refuses an unknown id before any is run. */
export async function examine(ctx: Context, { check, fix, offline }: ExamineOptions): Promise<Report> {
  const parts = await ctx.registered.checks();
  const ids = parts.flatMap((part) => part.ids);
  if (check !== undefined && !ids.includes(check)) throw unknownCheck(check, ids);
  const all: Check[] = [];
  for (const checks of parts) {
    if (check !== undefined && !checks.ids.includes(check)) continue;
    const found = await checks.run(ctx, {
      fix,
      ...(check !== undefined && { only: check }),
      ...(offline && { offline }),
    });
    all.push(...found);
  }
  return reportOf(all);
}

/** Counts what was found. */
export function reportOf(checks: Check[]): Report {
  const count = (status: Check["status"]) => checks.filter((one) => one.status === status).length;
  const summary = {
    ok: count("ok"),
    info: count("info"),
    warn: count("warn"),
    fail: count("fail"),
    skipped: count("skipped"),
    fixed: checks.filter(({ fixed }) => fixed).length,
  };
  return { checks, summary, ok: summary.fail === 0 };
}

function unknownCheck(check: string, ids: readonly string[]) {
  const near = nearest(check, ids);
  return fail("USAGE_ERROR", {
    message: `There is no check "${check.slice(0, 80)}".`,
    cause: near === undefined ? `The checks are ${ids.join(", ")}.` : `The nearest is ${near}.`,
    remediation:
      near === undefined ? "See them all: writ doctor" : `Did you mean ${near}? writ doctor --check ${near}`,
    details: { unknown: check.slice(0, 80), known: ids, ...(near !== undefined && { nearest: near }) },
  });
}

/** E_DOCTOR_FAILED with the whole report beside it. */
export function doctorFailed(report: Report, data: Record<string, unknown> = {}) {
  const wrong = report.checks.filter(({ status }) => status === "fail");
  const [first] = wrong;
  return fail("E_DOCTOR_FAILED", {
    message: `${counted(wrong.length, "check")} failed: ${wrong.map(({ id }) => id).join(", ")}.`,
    cause: `${first?.id ?? ""}: ${first?.message ?? ""}`,
    remediation: first?.remediation ?? "See each check: writ doctor",
    details: { failed: wrong.map(({ id }) => id) },
    data: { ...report, ...data },
  });
}
