import { type Context, WritError } from "../contract/index.ts";
import { migrations } from "./migrations/index.ts";

/** The version of the store as it lies there, and the one this program writes. */
export async function schemaVersionOf(
  ctx: Pick<Context, "store">,
): Promise<{ stored: number; known: number }> {
  const known = migrations.at(-1)?.version ?? 0;
  try {
    const status = await (await ctx.store("read")).status();
    return { stored: status.schema_version, known };
  } catch (error) {
    // A reader refuses an older store, and says which version it is.
    if (!(error instanceof WritError) || error.code !== "E_STORE_OUTDATED") throw error;
    // A server that has never heard of this workspace has nothing of it yet.
    return { stored: Number(error.failure.details?.found ?? 0), known };
  }
}
