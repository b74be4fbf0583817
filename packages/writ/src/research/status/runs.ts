import type { Context } from "../../contract/index.ts";
import { formatInstant } from "../../platform/index.ts";
import type { Database } from "../library/database.ts";
import { resumableSince } from "../library/unfinished.ts";
import type { StatusData } from "./output.ts";
import { resumeCommand } from "./resume.ts";
import type { Told } from "./told.ts";

/** The command that undoes a run, or gives up one that is not finished. */
const undoOf = (runId: string) => `writ research curate undo --run ${runId}`;

/** The runs that did not end and may be taken up, each with the command that goes on and the one that gives it up. */
export function unfinished(
  ctx: Pick<Context, "clock">,
  { unfinished: runs }: Pick<Told, "unfinished">,
): StatusData["unfinished_runs"] {
  const since = resumableSince(ctx.clock.now()).getTime();
  return runs.flatMap(({ params, counts, ...row }) => {
    if (Date.parse(row.started_at) <= since) return [];
    const told = JSON.parse(counts ?? "{}") as { pages_done?: number; resume?: string };
    // A run that was killed could not say how it goes on.
    const resume = told.resume ?? resumeCommand(row.verb, JSON.parse(params) as Record<string, unknown>);
    return [
      {
        ...row,
        pages_done: told.pages_done ?? null,
        ...(resume !== undefined && { resume }),
        discard: undoOf(row.run_id),
      },
    ];
  });
}

/** The newest runs, whatever became of them. */
export async function newestRuns(db: Database, most: number): Promise<StatusData["runs"]> {
  const rows = await db.rows<Omit<StatusData["runs"][number], "started_at"> & { started_at: Date }>(
    `SELECT run_id, verb, state, actor, started_at, revoked_by IS NOT NULL AS undone
     FROM runs ORDER BY seq DESC LIMIT ?`,
    [most],
  );
  return rows.map((row) => ({ ...row, started_at: formatInstant(row.started_at.getTime()) }));
}
