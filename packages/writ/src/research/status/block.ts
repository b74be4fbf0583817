import type { StatusBlock } from "../../contract/index.ts";
import { lstatOrNull } from "../../platform/index.ts";
import { placeOf } from "../library/place.ts";
import { standingOf } from "../library/standing.ts";
import { readLibrary, rootOf } from "../library/use.ts";

/** What `writ status` says of the library: little, and nothing where there is none. */
export const researchBlock: StatusBlock = {
  name: "research",
  async read(ctx) {
    if (!ctx.workspace || !(await lstatOrNull(placeOf(rootOf(ctx)).file))) return undefined;
    return readLibrary(
      ctx,
      async (db) => {
        const { state, round } = await standingOf(db);
        const row = await db.row<{ papers: number; accepted: number }>(
          "SELECT count(*) AS papers, count(*) FILTER (curation_status = 'accepted') AS accepted FROM papers WHERE active",
        );
        return { loop_state: state, round, papers: row?.papers ?? 0, accepted: row?.accepted ?? 0 };
      },
      { wait: 0 },
    );
  },
};
