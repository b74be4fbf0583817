import { join } from "node:path";
import { type Context, fail } from "../../contract/index.ts";
import { walkFolder } from "../../platform/index.ts";
import type { Database } from "../library/database.ts";
import { placeOf } from "../library/place.ts";
import { readLibrary, rootOf } from "../library/use.ts";
import { readPage } from "../sources/page-store.ts";
import { checkColumns, checkTables } from "./checks-sql.ts";
import { compareFold } from "./compare.ts";
import type { Issue, ValidateData } from "./output.ts";

/** The most issues that are listed. */
const shown = 1000;

/** Checks that the library agrees with itself. Writes nothing. Throws E_LIBRARY_INVALID, with the data complete. */
export async function validateLibrary(ctx: Context, { full }: { full: boolean }): Promise<ValidateData> {
  const data = await readLibrary(ctx, (db) => check(ctx, db, full));
  if (data.valid) return data;
  const [first] = data.issues;
  throw fail("E_LIBRARY_INVALID", {
    message: `The research library contradicts itself in ${data.issues_total} places.`,
    cause: first ? `${first.paper ?? first.column ?? "It"}: ${first.message}` : "See the issues.",
    remediation:
      "Undo the run that did it, or restore a snapshot into a new workspace: writ research curate undo --run RUN",
    details: { issues: data.issues.slice(0, 20) },
    data,
  });
}

async function check(ctx: Context, db: Database, full: boolean): Promise<ValidateData> {
  ctx.emit({ phase: "plan" });
  const issues: Issue[] = await checkColumns(db);
  if (issues.length > 0) return result({ total: 0, checked: 0, pages: 0, issues });
  const counted = await db.row<{ n: number }>("SELECT count(*) AS n FROM papers WHERE active");
  const total = counted?.n ?? 0;
  issues.push(...(await checkTables(db)));
  ctx.emit({ phase: "fold" });
  const compared = await compareFold(db, { total, full, seed: 1 });
  issues.push(...compared.issues);
  const pages = await checkPages(ctx);
  issues.push(...pages.issues);
  return result({ total, checked: compared.checked, pages: pages.read, issues });
}

function result(of: { total: number; checked: number; pages: number; issues: Issue[] }): ValidateData {
  return {
    valid: of.issues.length === 0,
    total_papers: of.total,
    checked: of.checked,
    pages: of.pages,
    issues: of.issues.slice(0, shown),
    issues_total: of.issues.length,
  };
}

/** Whether every stored answer can be read. */
async function checkPages(ctx: Context): Promise<{ read: number; issues: Issue[] }> {
  const { pages } = placeOf(rootOf(ctx));
  const files = (await walkFolder(pages)).filter(({ path }) => path.endsWith(".json.gz"));
  const issues: Issue[] = [];
  for (const [at, { path }] of files.entries()) {
    ctx.signal.throwIfAborted();
    if (at % 100 === 0) ctx.emit({ phase: "analyse", item: "pages", done: at, total: files.length });
    try {
      await readPage(join(pages, path));
    } catch {
      issues.push({
        code: "page",
        column: `pages/${path}`,
        message: "The stored answer cannot be read; it will be asked for again.",
        fix_command: `rm .writ/research/pages/${path}`,
      });
    }
  }
  return { read: files.length, issues };
}
