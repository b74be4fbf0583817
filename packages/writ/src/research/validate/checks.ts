import type { Check, Checks, Context } from "../../contract/index.ts";
import { WritError } from "../../contract/index.ts";
import { lstatOrNull, storing } from "../../platform/index.ts";
import { libraryFile, placeOf } from "../library/place.ts";
import { resumableSince, unfinishedRuns } from "../library/unfinished.ts";
import { readLibrary, rootOf } from "../library/use.ts";

/** What `writ doctor` asks of research: cheap questions; `writ research validate` asks all of them. */
export const researchChecks: Checks = {
  ids: ["research.library"],
  async run(ctx) {
    return [await library(ctx)];
  },
};

async function library(ctx: Context): Promise<Check> {
  try {
    if (!ctx.workspace || !(await storing(libraryFile, () => lstatOrNull(placeOf(rootOf(ctx)).file))))
      return check("skipped", "The workspace has no research library.");
    return await readLibrary(
      ctx,
      async (db) => {
        const row = await db.row<{ papers: number }>("SELECT count(*) AS papers FROM papers WHERE active");
        const { papers = 0 } = row ?? {};
        const { length: open } = await unfinishedRuns(db, resumableSince(ctx.clock.now()));
        return open === 0
          ? check("ok", `The research library opens; it has ${papers} papers.`)
          : check(
              "info",
              `The research library has ${open === 1 ? "an unfinished run" : `${open} unfinished runs`}.`,
              "See how to go on, or give up: writ research status",
            );
      },
      { wait: 2 },
    );
  } catch (error) {
    if (!(error instanceof WritError)) throw error;
    const { message, remediation } = error.failure;
    return check(error.code === "E_STORE_LOCKED" ? "info" : "fail", message, remediation);
  }
}

function check(status: Check["status"], message: string, remediation?: string): Check {
  return {
    id: "research.library",
    status,
    message,
    ...(remediation !== undefined && { remediation }),
    fixable: false,
    fixed: false,
  };
}
