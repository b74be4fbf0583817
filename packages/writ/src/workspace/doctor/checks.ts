import { type Check, type Checks, type Context, WritError } from "../../contract/index.ts";
import { storingUnder } from "../../platform/index.ts";
import { cacheChecks } from "./cache.ts";
import type { CheckRow, Finding } from "./check.ts";
import { composeChecks } from "./compose.ts";
import { contentChecks } from "./content.ts";
import { contextChecks } from "./context.ts";
import { declaredChecks } from "./declared.ts";
import { envChecks } from "./env.ts";
import { ignoreChecks } from "./gitignore.ts";
import { overlayChecks } from "./overlay.ts";
import { productChecks } from "./product.ts";
import { registryChecks } from "./registry.ts";
import { repoChecks } from "./repos.ts";
import { openRoom, type Room } from "./room.ts";
import { stateChecks } from "./state.ts";
import { worktreeChecks } from "./worktrees.ts";

/** Every check of the workspace part, in the order they are shown. */
export const checkRows: readonly CheckRow[] = [
  ...envChecks,
  ...cacheChecks,
  ...registryChecks,
  ...declaredChecks,
  ...stateChecks,
  ...composeChecks,
  ...contextChecks,
  ...contentChecks,
  ...repoChecks,
  ...ignoreChecks,
  ...overlayChecks,
  ...worktreeChecks,
  ...productChecks,
];

/** What this part adds to `doctor`. */
export const workspaceChecks: Checks = {
  ids: checkRows.map(({ id }) => id),
  async run(ctx, { only, fix, offline }) {
    const rows = checkRows.filter(({ id }) => only === undefined || id === only);
    const again = () => openRoom(ctx, { offline: offline === true });
    let room = again();
    const checks: Check[] = [];
    for (const row of rows) {
      const found = await look(row, room);
      const repaired =
        fix && found.fixable === true && row.fix !== undefined ? await repair(row, { ctx, room }) : undefined;
      // What was repaired may have changed what the later checks see.
      if (repaired) room = again();
      const after = repaired ? await look(row, room) : found;
      checks.push(checkOf(row, after, { fixed: repaired === true && after.fixable !== true }));
    }
    return checks;
  },
};

async function look(row: CheckRow, room: Room): Promise<Finding> {
  if (row.workspace && !room.ctx.workspace) return { status: "skipped", message: "not in a workspace" };
  try {
    // What the file system keeps from being looked at is a finding as well.
    return await storingUnder(room.ctx.workspace?.root ?? ".", async () => row.look(room));
  } catch (error) {
    if (!(error instanceof WritError) || error.code === "INTERNAL_ERROR") throw error;
    return told(row, error);
  }
}

function told({ worst }: CheckRow, { failure }: WritError): Finding {
  return { status: worst, message: failure.message, remediation: failure.remediation };
}

/** One repair that fails leaves the others to be done; the check then says what it said before. */
async function repair(row: CheckRow, { room }: { ctx: Context; room: Room }): Promise<boolean> {
  try {
    await storingUnder(room.ctx.workspace?.root ?? ".", async () => row.fix?.(room));
    return true;
  } catch (error) {
    if (error instanceof WritError && error.code !== "INTERNAL_ERROR") return false;
    throw error;
  }
}

function checkOf(row: CheckRow, found: Finding, { fixed }: { fixed: boolean }): Check {
  const { status, message, remediation } = found;
  return {
    id: row.id,
    status,
    message,
    ...(remediation !== undefined && { remediation }),
    fixable: found.fixable === true,
    fixed,
  };
}
