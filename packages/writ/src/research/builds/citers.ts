import type { Context } from "../../contract/index.ts";
import { noteCiters } from "../chain/citers.ts";
import { fetchSeedCiters } from "../chain/seed-citers.ts";
import { commitLibrary } from "../library/change.ts";
import { recordRequests } from "../library/runs.ts";
import type { BuildInput } from "./input.ts";
import type { BuildData } from "./output.ts";

const usualCiting = 50;

/** Asks who cites the accepted seeds, and notes it in the library: the first phase of the run, for co-citation. */
export async function takeCiters(
  ctx: Context,
  given: BuildInput,
  run: { id: string; params: Record<string, unknown> },
): Promise<NonNullable<BuildData["usage"]>> {
  const maxCiting = given.max_citing ?? usualCiting;
  const { session, citers } = await fetchSeedCiters(ctx, {
    flags: given,
    maxCiting,
    resume: "writ research build --fetch-citers",
  });
  const usage = session.usage();
  const options = {
    verb: "build",
    runId: run.id,
    params: { ...run.params, fetch_citers: true, max_citing: maxCiting },
    source: usage.source,
    usage: { ...usage },
    wait: given.wait,
  };
  await commitLibrary(ctx, options, async (change) => {
    await noteCiters(change, session, citers);
    await recordRequests(change, session.record.rows);
    change.setCounts({ citers: citers.kept.size });
    return {};
  });
  return usage;
}
