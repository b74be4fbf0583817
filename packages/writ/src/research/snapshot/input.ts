import { join } from "node:path";
import { type Context, fail } from "../../contract/index.ts";
import { quote } from "../../platform/index.ts";
import { newestSnapshot } from "../library/open.ts";
import { placeOf } from "../library/place.ts";
import { rootOf } from "../library/use.ts";

/** One of the two is restored. Throws E_MISSING_INPUT, E_CONFLICTING_INPUT. */
export async function requireOne(
  ctx: Pick<Context, "workspace">,
  { from, from_corpus: corpus }: { from?: string | undefined; from_corpus?: string | undefined },
): Promise<void> {
  if (from === undefined && corpus === undefined) {
    const root = rootOf(ctx);
    const newest = await newestSnapshot(placeOf(root));
    throw fail("E_MISSING_INPUT", {
      message: "There is nothing to restore from.",
      cause: `Neither --from nor --from-corpus was given${newest ? "" : ", and the library's own folder has no snapshot"}.`,
      remediation: newest
        ? `Restore the newest: writ research snapshot restore --from ${quote(join(root, newest))}`
        : "Make one of a library that has papers: writ research snapshot create",
      details: { missing: ["from", "from_corpus"], newest_snapshot: newest ?? null },
    });
  }
  if (from !== undefined && corpus !== undefined)
    throw fail("E_CONFLICTING_INPUT", {
      message: "--from and --from-corpus exclude each other.",
      cause: "One call restores one of them.",
      remediation: `Give one of them: writ research snapshot restore --from ${quote(from)}`,
      details: { inputs: ["from", "from_corpus"] },
    });
}
