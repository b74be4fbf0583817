import { formatInstant } from "../platform/index.ts";
import type { Engine } from "./engine.ts";

/** True when the database has rows for this workspace, or may have. */
export function isRegistered(engine: Engine, id: string): Promise<boolean> {
  return engine.snapshot(async (db) => {
    const found = await db
      .selectFrom("workspaces")
      .select("workspace_id")
      .where("workspace_id", "=", id)
      .executeTakeFirst();
    return found !== undefined;
  });
}

/** Makes the workspace known to the database; done before, it changes nothing. */
export async function registerWorkspace(
  engine: Engine,
  workspace: { id: string; name: string },
): Promise<void> {
  if (await isRegistered(engine, workspace.id)) return;
  await engine.transaction(async (db) => {
    const created_at = formatInstant(await engine.now(db));
    await db
      .insertInto("workspaces")
      .values({ workspace_id: workspace.id, name: workspace.name, created_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
